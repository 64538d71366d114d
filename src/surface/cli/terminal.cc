#include "surface/cli/terminal.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "base/text.h"
#include "surface/cli/command.h"

namespace hone::cli {

namespace {

constexpr auto k_redraw = std::chrono::milliseconds(100);

std::string colour_of(campaign::ExperimentStatus status) {
  switch (status) {
    case campaign::ExperimentStatus::target_met:
    case campaign::ExperimentStatus::improved:
      return "\x1b[32m";
    case campaign::ExperimentStatus::regressed:
    case campaign::ExperimentStatus::failed:
      return "\x1b[31m";
    default:
      return "\x1b[33m";
  }
}

std::string row_of(const campaign::ExperimentStarted& started, const campaign::Decided& decided,
                   const std::string& status) {
  const std::string delta = decided.delta ? signed_percent(*decided.delta) : "-";
  return fmt::format("{:>4}  {:>4}  {:<26}  {:>10}  {}{}\n", started.experiment, started.tier,
                     started.group.substr(0, 26), delta, status,
                     decided.reason.empty() ? "" : " (" + decided.reason + ")");
}

constexpr std::string_view k_heading = "iter  tier  change                           delta  status\n";

size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

class LineDisplay final : public loop::Display {
 public:
  void phase(const std::string& text) override { print_error("hone: " + text + "\n"); }
  void note(const std::string& text) override { print_error("hone: " + text + "\n"); }
  void decided(const campaign::ExperimentStarted& started, const campaign::Decided& decided) override {
    if (!headed_) print_error(k_heading);
    headed_ = true;
    print_error(row_of(started, decided, std::string(name_of(decided.status))));
  }

 private:
  bool headed_ = false;
};

// One line of standard input; absent at its end.
std::optional<std::string> typed_line() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return std::string(trim(line));
}

class LiveDisplay final : public loop::Display {
 public:
  LiveDisplay(const Clock& clock, bool coloured) : clock_(clock), coloured_(coloured) {}
  ~LiveDisplay() override { clear(); }

  void phase(const std::string& text) override {
    phase_ = text;
    draw("");
  }
  void note(const std::string& text) override {
    clear();
    print_error("      " + text + "\n");
  }
  void progress(const judge::Progress& progress, std::optional<Nanoseconds> left) override {
    if (clock_.now() - drawn_ < k_redraw) return;
    std::string text = " · " + progress.phase;
    if (progress.total > 0) text += fmt::format(" {}/{}", progress.done + 1, progress.total);
    if (left) text += fmt::format(" · {:.0f} s left", std::max(0.0, to_seconds(*left)));
    draw(text);
  }
  std::optional<loop::TargetAnswer> ask_target(std::optional<double> baseline_seconds) override {
    if (isatty(STDIN_FILENO) == 0) return std::nullopt;
    clear();
    const std::string now =
        baseline_seconds ? fmt::format(" (the baseline takes {})", human_time(*baseline_seconds)) : "";
    while (true) {
      print_error(fmt::format("target time{}, such as 1.5ms; `none`; Enter for 70 % of the binding ceiling: ", now));
      const auto line = typed_line();
      if (!line || line->empty()) return std::nullopt;
      if (*line == "none") return loop::TargetAnswer{};
      if (const auto seconds = seconds_of(*line)) return loop::TargetAnswer{seconds};
    }
  }
  void decided(const campaign::ExperimentStarted& started, const campaign::Decided& decided) override {
    clear();
    if (!headed_) print_error(k_heading);
    headed_ = true;
    const std::string name(name_of(decided.status));
    print_error(row_of(started, decided, coloured_ ? colour_of(decided.status) + name + "\x1b[0m" : name));
  }

 private:
  void draw(const std::string& text) {
    drawn_ = clock_.now();
    print_error("\r\x1b[K" + (phase_ + text).substr(0, terminal_width() - 1));
  }
  void clear() { print_error("\r\x1b[K"); }

  const Clock& clock_;
  bool coloured_;
  bool headed_ = false;
  std::string phase_;
  Nanoseconds drawn_{0};
};

bool wants_colour() {
  const char* no_color = getenv("NO_COLOR");
  return no_color == nullptr || no_color[0] == '\0';
}

}  // namespace

std::unique_ptr<loop::Display> make_display(Verbosity verbosity, const Clock& clock) {
  if (verbosity == Verbosity::quiet) return std::make_unique<loop::Display>();
  if (isatty(STDERR_FILENO) == 0) return std::make_unique<LineDisplay>();
  return std::make_unique<LiveDisplay>(clock, wants_colour());
}

}  // namespace hone::cli
