#include "surface/cli/user_repository.h"

#include <fmt/format.h>

#include "base/text.h"

namespace hone::cli {

namespace {

constexpr size_t k_shown_error_bytes = 2000;
constexpr std::string_view k_settings[] = {"core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false",
                                           "gc.auto=0", "maintenance.auto=false"};

struct Call {
  fs::path folder;
  std::vector<std::string> arguments;
  std::string input = {};
  std::map<std::string, std::string> environment = {};
};

Result<Finished> start(Processes& processes, const Call& call) {
  Command command{.argv = {"git"}};
  for (const std::string_view setting : k_settings)
    command.argv.insert(command.argv.end(), {"-c", std::string(setting)});
  command.argv.insert(command.argv.end(), call.arguments.begin(), call.arguments.end());
  command.folder = call.folder;
  command.input = call.input;
  command.environment = call.environment;
  command.environment["GIT_TERMINAL_PROMPT"] = "0";
  command.environment["GIT_OPTIONAL_LOCKS"] = "0";
  return processes.run(command);
}

Error failed(const Call& call, const Finished& done) {
  return {ErrorCode::io,
          fmt::format("'git {}' ended with status {}", call.arguments.front(), done.exit_status),
          {call.folder.string()},
          quote_untrusted(trim(done.errors), k_shown_error_bytes)};
}

// Standard output without the newline at its end.
Result<std::string> run(Processes& processes, const Call& call) {
  HONE_TRY(const Finished done, start(processes, call));
  if (!done.succeeded()) return failed(call, done);
  return std::string(trim(done.output));
}

struct Found {
  fs::path root;
  std::string prefix;
};

Result<std::optional<Found>> locate(Processes& processes, const fs::path& folder) {
  if (!fs::is_directory(folder)) return std::optional<Found>();
  const Call call{folder, {"rev-parse", "--show-toplevel", "--show-prefix"}};
  HONE_TRY(const Finished done, start(processes, call));
  if (done.errors.find("not a git repository") != std::string::npos) return std::optional<Found>();
  if (!done.succeeded()) return failed(call, done);
  const auto lines = split_lines(done.output);
  return std::optional(Found{lines.at(0), lines.size() > 1 ? lines[1] : ""});
}

std::string message_of(const record::CommitText& text) {
  std::string message = text.message + "\n\n";
  for (const record::Trailer& trailer : text.trailers) message += trailer.name + ": " + trailer.value + "\n";
  return message;
}

std::map<std::string, std::string> identity(int64_t date_s) {
  const std::string date = fmt::format("@{} +0000", date_s);
  return {{"GIT_AUTHOR_NAME", "hone"},    {"GIT_AUTHOR_EMAIL", "hone@localhost"},    {"GIT_AUTHOR_DATE", date},
          {"GIT_COMMITTER_NAME", "hone"}, {"GIT_COMMITTER_EMAIL", "hone@localhost"}, {"GIT_COMMITTER_DATE", date}};
}

std::string branch_ref(const std::string& name) { return "refs/heads/" + name; }

}  // namespace

Result<UserRepository> UserRepository::find(Processes& processes, const fs::path& folder) {
  HONE_TRY(const auto found, locate(processes, folder));
  if (!found)
    return Error{ErrorCode::usage,
                 fmt::format("{} is in no git repository", folder.string()),
                 {},
                 "a branch needs one to stand in",
                 "use `hone export patch`, or `hone apply`"};
  return UserRepository(processes, found->root, found->prefix);
}

Result<std::optional<std::string>> UserRepository::prefix_of(Processes& processes, const fs::path& folder) {
  HONE_TRY(const auto found, locate(processes, folder));
  return found ? std::optional(found->prefix) : std::nullopt;
}

Result<std::string> UserRepository::head() const {
  const Call call{root_, {"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}};
  HONE_TRY(const Finished done, start(*processes_, call));
  if (done.succeeded()) return std::string(trim(done.output));
  return Error{ErrorCode::usage,
               fmt::format("the repository {} has no commit yet", root_.string()),
               {},
               "a branch needs one to start from",
               "commit your files, or use `hone export patch`"};
}

Result<std::optional<std::string>> UserRepository::file_in(const std::string& commit, const std::string& path) const {
  const std::string name = commit + ":" + prefix_ + path;
  HONE_TRY(const Finished there, start(*processes_, {root_, {"rev-parse", "--verify", "--quiet", name}}));
  if (!there.succeeded()) return std::optional<std::string>();
  const Call call{root_, {"cat-file", "blob", name}};
  HONE_TRY(Finished done, start(*processes_, call));
  if (!done.succeeded()) return failed(call, done);
  return std::optional(std::move(done.output));
}

Status UserRepository::check_new_branch(const std::string& name) const {
  HONE_TRY(const Finished valid, start(*processes_, {root_, {"check-ref-format", "--branch", name}}));
  if (!valid.succeeded()) return Error{ErrorCode::usage, fmt::format("'{}' cannot be the name of a branch", name)};
  HONE_TRY(const Finished there, start(*processes_, {root_, {"rev-parse", "--verify", "--quiet", branch_ref(name)}}));
  if (!there.succeeded()) return ok();
  return Error{ErrorCode::usage,
               fmt::format("there is a branch '{}' already", name),
               {root_.string()},
               "hone moves no branch of yours",
               "choose another name with --name, or delete that branch"};
}

Result<std::string> UserRepository::write_tree(const std::string& parent,
                                               std::span<const record::TreeFile> files) const {
  HONE_TRY(const TemporaryFolder scratch, TemporaryFolder::make(fs::temp_directory_path(), "hone-index-"));
  const std::map<std::string, std::string> private_index{{"GIT_INDEX_FILE", (scratch.path() / "index").string()}};
  HONE_CHECK(run(*processes_, {root_, {"read-tree", parent}, "", private_index}));
  for (const record::TreeFile& file : files) {
    HONE_TRY(const std::string blob,
             run(*processes_, {root_, {"hash-object", "-w", "--no-filters", "--stdin"}, file.bytes}));
    const std::string_view mode = file.mode == record::FileMode::executable ? "100755" : "100644";
    const std::string entry = fmt::format("{},{},{}{}", mode, blob, prefix_, file.path);
    HONE_CHECK(run(*processes_, {root_, {"update-index", "--add", "--cacheinfo", entry}, "", private_index}));
  }
  return run(*processes_, {root_, {"write-tree"}, "", private_index});
}

Result<std::string> UserRepository::commit_tree(const std::string& tree, const std::string& parent,
                                                const record::CommitText& text) const {
  return run(*processes_,
             {root_, {"commit-tree", tree, "-p", parent, "-F", "-"}, message_of(text), identity(text.date_s)});
}

Result<std::string> UserRepository::add_branch(const std::string& name, const std::string& parent,
                                               std::span<const record::TreeFile> files,
                                               const record::CommitText& text) const {
  HONE_CHECK(check_new_branch(name));
  HONE_TRY(const std::string tree, write_tree(parent, files));
  HONE_TRY(const std::string commit, commit_tree(tree, parent, text));
  // An empty old value: the branch must not exist, whatever happened since it was asked for.
  HONE_CHECK(run(*processes_, {root_, {"update-ref", branch_ref(name), commit, ""}}));
  return commit;
}

}  // namespace hone::cli
