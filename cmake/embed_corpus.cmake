# Makes the C++ file that holds the corpus of cheats, so that the one binary needs no files beside it. Run as a script:
#   cmake -D OUTPUT=F.cc -D FOLDER=D -P embed_corpus.cmake
# OUTPUT defines corpus_files() of surface/selftest/corpus.h over the files of FOLDER, with paths relative to it.
file(GLOB_RECURSE paths RELATIVE ${FOLDER} ${FOLDER}/*.toml ${FOLDER}/*.cpp ${FOLDER}/*.cl ${FOLDER}/*.cu)
list(SORT paths)
set(rows "")
foreach(path ${paths})
  file(READ ${FOLDER}/${path} text)
  string(APPEND rows "    {\"${path}\", R\"~~~~(${text})~~~~\"},\n")
endforeach()
file(WRITE ${OUTPUT}.new "#include \"surface/selftest/corpus.h\"

namespace hone::cli {

namespace {

constexpr CorpusFile k_files[] = {
${rows}};

}  // namespace

std::span<const CorpusFile> corpus_files() { return k_files; }

}  // namespace hone::cli
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
