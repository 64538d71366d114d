// Defines no kernel of the name that is asked for.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR | COMPILE_ERROR

__kernel void another(__global float* out) { out[get_global_id(0)] = 0.0f; }
