#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare our cuBLAS headers with the toolkit's: names, function types, values, macros.

Each header is compiled into a program that prints the mangled type of every function it
declares and the value of every enumerator and macro; the outputs must be equal. Ours is compiled
twice, over CUDA's types and over its own stand-ins. With --library, every declared function must
be exported by it. Exit 77: no toolkit to compare with, and everything else is right.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HEADERS = ("cublas_v2.h", "cublas.h", "cublasXt.h")
# Ours says BUILD 0; the guards are each header's own.
OWN_MACROS = {"CUBLAS_VER_BUILD"}
EX_ARGS = (
    "cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, "
    "{a}const void*{s}, cudaDataType, int{sa}, const void*{s}, cudaDataType, int{sa}, "
    "const void*, void*{c}, cudaDataType, int{sa}{n}, {t}, cublasGemmAlgo_t"
)


def overloads():
    """The C++ overloads, as name -> parameter lists: their type must be asked for one by one."""
    kinds = {
        "cublasGemmEx": dict(a="", s="", c="", sa="", n=""),
        "cublasGemmBatchedEx": dict(a="", s=" const*", c=" const*", sa="", n=", int"),
        "cublasGemmStridedBatchedEx": dict(a="", s="", c="", sa=", long long", n=", int"),
    }
    result = {
        name: [EX_ARGS.format(t=t, **k) for t in ("cublasComputeType_t", "cudaDataType")]
        for name, k in kinds.items()
    }
    for star, verb in (("", "Set"), ("*", "Get")):
        result[f"cublas{verb}EmulationStrategy"] = [
            f"cublasHandle_t, cublasEmulationStrategy_t{star}",
            f"cublasHandle_t, cudaEmulationStrategy{star}",
        ]
    return result


class Header:
    def __init__(self, compiler, name, flags):
        self.compiler, self.name, self.flags = compiler, name, flags

    def preprocess(self, *options):
        command = [self.compiler, "-x", "c++", "-std=c++17", "-E", *options, *self.flags, "-"]
        return self.run(command, f"#include <{self.name}>\n")

    @staticmethod
    def run(command, text=None):
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    def functions(self):
        return set(re.findall(r"\b(cublas[A-Za-z0-9_]+)\s*\(", self.preprocess("-P")))

    def enumerators(self):
        text = self.preprocess("-P")
        return set(re.findall(r"\b((?:CUBLAS|CUBLASXT|CUDA_[RC])_[A-Z0-9_]+)\s*[,=}]", text))

    def macros(self):
        lines = re.findall(r"^#define (\S+) ?(.*)$", self.preprocess("-dM"), re.MULTILINE)
        return {
            name: " ".join(value.split())
            for name, value in lines
            if re.match(r"cublas|CUBLAS", name) and name not in OWN_MACROS
        }

    def facts(self, functions, enumerators):
        """What the compiler thinks of each name: one line each."""
        special = overloads()
        lines = [f"#include <{self.name}>", "#include <cstdio>", "#include <typeinfo>",
                 "int main() {"]
        for name in sorted(functions):
            if name in special:
                for args in special[name]:
                    lines.append(f"static_cast<void>(static_cast<cublasStatus_t (*)({args})>"
                                 f"(&{name}));")
            else:
                lines.append(f'std::printf("%s %s\\n", "{name}", typeid(&{name}).name());')
        for name in sorted(enumerators):
            lines.append(f'std::printf("%s %lld\\n", "{name}", static_cast<long long>({name}));')
        lines.append("}")
        # Only the functions' types are asked for: nothing needs to be linked but what typeid
        # takes the address of, and the overloads call; --unresolved-symbols leaves those open.
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "facts.cpp")
            program = pathlib.Path(folder, "facts")
            source.write_text("\n".join(lines))
            self.run([self.compiler, "-std=c++17", "-w", *self.flags, str(source), "-o",
                      str(program), "-Wl,--unresolved-symbols=ignore-all"])
            return set(self.run([str(program)]).splitlines())


def report(title, ours, theirs):
    """Print what only one side has; the number of differences."""
    for mark, only in (("ours  ", ours - theirs), ("theirs", theirs - ours)):
        for line in sorted(only)[:40]:
            print(f"{title}: {mark} {line}")
    return len(ours ^ theirs)


def exported(library):
    text = Header.run(["nm", "-D", "--defined-only", library])
    return {line.split()[-1].split("@")[0] for line in text.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--ours", required=True, help="our compat directory")
    parser.add_argument("--cuda", default="", help="the toolkit's include directory")
    parser.add_argument("--library", default="", help="libmyblas_cublas.so, to check its exports")
    options = parser.parse_args()
    bad = 0

    if options.library:
        names = exported(options.library)
        for header in HEADERS:
            ours = Header(options.compiler, header, [f"-I{options.ours}"])
            missing = ours.functions() - names - {"cublasMigrateComputeType"}
            print(f"{header}: {len(ours.functions())} functions, {len(missing)} not exported")
            for name in sorted(missing):
                print(f"  {name}")
            bad += len(missing)

    with_toolkit = options.cuda and pathlib.Path(options.cuda, "cublas_v2.h").is_file()
    for header in HEADERS if with_toolkit else ():
        theirs = Header(options.compiler, header, [f"-isystem{options.cuda}"])
        over_cuda = Header(options.compiler, header,
                           [f"-I{options.ours}", f"-isystem{options.cuda}"])
        alone = Header(options.compiler, header, [f"-I{options.ours}"])
        functions, values = theirs.functions(), theirs.enumerators()
        facts = theirs.facts(functions, values)
        for label, ours in (("over CUDA", over_cuda), ("alone", alone)):
            title = f"{header} {label}"
            found = report(title + ", functions", ours.functions(), functions)
            found += report(title + ", enumerators", ours.enumerators(), values)
            if not found:
                found += report(title + ", types", ours.facts(functions, values), facts)
            macros = ({f"{k} = {v}" for k, v in side.macros().items()} for side in (ours, theirs))
            found += report(title + ", macros", *macros)
            print(f"{title}: {len(functions)} functions, {len(values)} values, "
                  f"{found} differences")
            bad += found
    if bad:
        return 1
    if not with_toolkit:
        print("skipped: no cuBLAS headers to compare with")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
