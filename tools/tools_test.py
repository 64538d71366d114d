#!/usr/bin/env python3
"""The checks notice what they are there for: each is pointed at a small tree with one planted fault, and at the same tree without."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent

ROOMS = "base:\ntask: base\nloop: base task\nsurface: base task loop\n"
CLEAN = {
    "src/rooms.txt": ROOMS,
    "src/base/text.h": "#pragma once\n#include <string>\ninline int size(const std::string& text) { return int(text.size()); }\n",
    "src/task/read.cc": '#include "base/text.h"\n\nint read() { return size("three"); }\n',
    "src/main.cc": '#include "base/text.h"\n',
    "src/surface/cli/commands.cc": 'const Row rows[] = {\n    {"run", run},\n    {"log-tail", log_tail},\n};\n',
    "src/surface/cli/run.cc": "\n",
    "src/surface/cli/log_tail.cc": "\n",
    "src/surface/cli/progress.cc": "\n",
    "src/surface/cli/progress.h": "#pragma once\n",
    "src/surface/cli/run_test.cc": "\n",
    "README.md": "See [the task](docs/task.md#units) and [git](https://git-scm.com).\n",
    "docs/task.md": "Back to [the start](../README.md).\n",
}


def run(check, *arguments):
    return subprocess.run([TOOLS / check, *map(str, arguments)], capture_output=True, text=True, check=False)


class Checks(unittest.TestCase):
    def plant(self, **files):
        """A git tree of the clean files and these, by path."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, text in {**CLEAN, **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "init", "-q", root], check=True)
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        return root

    def assert_content(self, check, root):
        answer = run(check, root)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def assert_names(self, place, check, files):
        answer = run(check, self.plant(**files))
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertIn(place, answer.stderr)

    def test_a_clean_tree_passes(self):
        root = self.plant()
        for check in ("check_edges", "check_functions", "check_text", "check_links", "check_counts", "check_headers"):
            with self.subTest(check):
                self.assert_content(check, root)

    def test_edges(self):
        upward = {"src/base/text.cc": '#include <map>\n#include "task/read.h"\n'}
        self.assert_names("src/base/text.cc:2:", "check_edges", upward)
        self.assert_names("src/base/text.cc:1:", "check_edges", {"src/base/text.cc": '#include "text.h"\n'})
        self.assert_names("src/main.cc:1:", "check_edges", {"src/main.cc": '  #  include "loop/run.h"\n'})
        self.assert_names("src/wild/a.h:1:", "check_edges", {"src/wild/a.h": "#pragma once\n"})
        self.assert_names("src/rooms.txt:1:", "check_edges", {"src/rooms.txt": "base: task\ntask:\nloop:\nsurface: loop\n"})

    def test_functions(self):
        body = "  work();\n"
        short_ones = "".join(f"void short{i}() {{}}\n" for i in range(9))
        longest = "void read() {\n" + body * 58 + "}\n" + short_ones
        self.assert_content("check_functions", self.plant(**{"src/task/read.cc": longest}))
        self.assert_names("src/task/read.cc:1 read: 61 lines", "check_functions",
                          {"src/task/read.cc": "void read() {\n" + body * 59 + "}\n"})
        long_ones = "".join(f"void read{i}() {{\n{body * 7}}}\n" for i in range(3))
        self.assert_names("the median function has 9 lines", "check_functions", {"src/task/read.cc": long_ones})
        mixed = short_ones + "".join(f"void long{i}() {{\n{body * 34}}}\n" for i in range(2))
        self.assert_names("the 90th percentile has 36 lines", "check_functions", {"src/task/read.cc": mixed})

    def test_functions_leaves_tests_out(self):
        self.assert_content("check_functions", self.plant(**{"src/task/read_test.cc": "void read() {\n" + "  work();\n" * 90 + "}\n"}))

    def test_headers(self):
        self.assert_names("src/task/draft.h:1:", "check_headers", {"src/task/draft.h": "#pragma once\nstd::string draft();\n"})
        narrowing = "#pragma once\ninline char narrow(int i) { return i; }\n"
        self.assert_names("src/task/draft.h:1:", "check_headers", {"src/task/draft.h": narrowing})

    def test_format(self):
        style = {".clang-format": "BasedOnStyle: Google\n"}
        self.assert_names("src/task/draft.cc:2:", "check_format", {**style, "src/task/draft.cc": "int a;\nint  b;\n"})
        tidy = self.plant(**style, **{"src/base/text.h": "#pragma once\n", "src/surface/cli/commands.cc": "\n"})
        self.assert_content("check_format", tidy)

    def test_text(self):
        unfinished = "TO" + "DO"
        for line in ("see /work" + "/main/src", f"// {unfinished}: later", "ends in a blank ", "ends in a tab\t", "windows\r"):
            with self.subTest(line):
                self.assert_names("docs/note.md:2:", "check_text", {"docs/note.md": f"first\n{line}\n"})
        self.assert_names("docs/big.txt:1:", "check_text", {"docs/big.txt": "x" * 1_000_001})
        self.assert_content("check_text", self.plant(**{"docs/note.md": "build/work/out and /tmp/hone.XXXXXX are no machine's\n"}))

    def test_links(self):
        self.assert_names("docs/note.md:2: gone.md", "check_links", {"docs/note.md": "\n[x](gone.md)\n"})

    def test_counts(self):
        self.assert_names("command orphan has no row", "check_counts", {"src/surface/cli/orphan.cc": "\n"})
        table = CLEAN["src/surface/cli/commands.cc"]
        self.assert_names("commands.cc:5: command ghost has no", "check_counts",
                          {"src/surface/cli/commands.cc": table + '    {"ghost", ghost},\n'})
        self.assert_names("command run has more than one row", "check_counts",
                          {"src/surface/cli/commands.cc": table + '    {"run", run},\n'})
        self.assert_names("backend opencl has no row", "check_counts",
                          {"src/device/backends.cc": '{"cpu", cpu},\n', "src/device/cpu/a.h": "", "src/device/opencl/a.h": ""})

    def test_tidy(self):
        moved = "#include <string>\n#include <utility>\n\nstd::string twice(std::string a) {\n  std::string b = std::move(a);\n  return a + b;\n}\n"
        root = self.plant(**{"src/task/read.cc": moved})
        file = root / "src/task/read.cc"
        entry = {"directory": str(root), "file": str(file), "command": f"g++ -std=c++20 -Wall -c {file}"}
        (root / "compile_commands.json").write_text(json.dumps([entry]))
        answer = run("check_tidy", "--build", root, file)
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertIn("src/task/read.cc:6:", answer.stderr)
        self.assertIn("bugprone-use-after-move", answer.stderr)

    def test_linkage(self):
        self.assertEqual(run("check_linkage", "/bin/true").returncode, 0)
        answer = run("check_linkage", shutil.which("git"))  # which needs libpcre2 and libz
        self.assertEqual(answer.returncode, 1)
        self.assertIn("also needs", answer.stderr)


unittest.main()
