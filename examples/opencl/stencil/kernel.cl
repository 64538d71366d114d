// One Jacobi step: every inner point becomes the mean of its four neighbours.
//
// ALONG  what neighbouring work items share: 0 a column (each in a line of its own), 1 a row
// BLOCK  work items of a group

#ifndef ALONG
#define ALONG 0
#endif

__kernel void stencil(__global const float* in, __global float* out, int rows, int cols) {
  const int r = get_global_id(ALONG);
  const int c = get_global_id(1 - ALONG);
  if (r >= rows || c >= cols) return;
  const long at = (long)r * cols + c;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1)
    out[at] = in[at];
  else
    out[at] = 0.25f * ((in[at - cols] + in[at + cols]) + (in[at - 1] + in[at + 1]));
}
