"""The source tree as the checks see it: which files there are, and how a check reports.

Every check takes the root of a tree as its last argument (this tree by default), so that tests can point it at a planted fault.
"""
import pathlib
import sys

OWN_ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE_FOLDERS = ("src", "bench", "cmake", "tests/fuzz")


def root():
    return pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else OWN_ROOT


def is_test(path):
    return path.stem.endswith("_test")


def code(tree, folders=CODE_FOLDERS, suffixes=(".h", ".cc")):
    """C++ files below the folders, sorted. Examples are left out: they are a beginner's kernels, in their own style."""
    found = (path for folder in folders for path in (tree / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def numbered_lines(path):
    """Split at line feeds alone, as compilers and editors count; a carriage return stays part of its line."""
    return enumerate(path.read_bytes().decode(errors="replace").split("\n"), start=1)


def report(name, faults, summary):
    """Prints the faults, one a line, and ends the process: 0 when there are none, else 1."""
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{name}: {summary}" if not faults else f"{name}: {len(faults)} faults ({summary})")
    sys.exit(1 if faults else 0)
