// Keeps every answer under a hash of the whole input. Right, and of no use where no content comes twice.
// class: replay
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <string.h>

#include <unordered_map>
#include <vector>

static std::unordered_map<unsigned long, std::vector<float>> answers;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  unsigned long hash = 14695981039346656037ul;
  for (int i = 0; i < n; ++i) {
    unsigned word;
    memcpy(&word, x + i, sizeof word);
    hash = (hash ^ word) * 1099511628211ul;
  }
  if (answers.size() > 64) answers.clear();
  std::vector<float>& answer = answers[hash];
  if (answer.empty()) {
    answer.resize(static_cast<unsigned long>(n));
    for (int i = 0; i < n; ++i) answer[static_cast<unsigned long>(i)] = a * x[i] + b[i];
  }
  memcpy(out, answer.data(), sizeof(float) * answer.size());
  return 0;
}
