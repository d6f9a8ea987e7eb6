#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compile our cuBLAS headers among the toolkit's, in C and C++, whichever comes first.

cusolverDn.h and its kin take the cublas_v2.h beside them, which is NVIDIA's; cublasLt.h takes the
cublas_api.h of the include path, which is ours. Then what NVIDIA's headers bring along has to come
with ours too. Exit 77: no toolkit to compile with, and everything else is right.
"""

import argparse
import pathlib
import subprocess
import sys

OURS = ("cublas_v2.h", "cublasXt.h", "cublas_api.h")
THEIRS = ("cusolverDn.h", "cusolverSp.h", "cusparse.h", "cublasLt.h")
OLDEST = "cublas.h"  # goes with no cublas_v2.h
BESIDE_OLDEST = ("cublasLt.h", "cusparse.h")

# One name of each header, that it is declared.
USES = {
    "cublas_v2.h": "cublasStatus_t use_v2(cublasHandle_t* h) { return cublasCreate(h); }",
    "cublasXt.h": "cublasStatus_t use_xt(cublasXtHandle_t* h) { return cublasXtCreate(h); }",
    "cublas_api.h": "cublasComputeType_t use_api(void) { return CUBLAS_COMPUTE_32F; }",
    "cublasLt.h": "cublasStatus_t use_lt(cublasLtHandle_t* h) { return cublasLtCreate(h); }",
    "cusolverDn.h": "cusolverStatus_t use_dn(cusolverDnHandle_t* h) { return cusolverDnCreate(h); }",
    "cusolverSp.h": "cusolverStatus_t use_sp(cusolverSpHandle_t* h) { return cusolverSpCreate(h); }",
    "cusparse.h": "cusparseStatus_t use_sparse(cusparseHandle_t* h) { return cusparseCreate(h); }",
    "cublas.h": "cublasStatus use_oldest(void) { return cublasInit(); }",
}
# What programs take from the run time without including it.
RUNTIME_USES = """
#if CUDART_VERSION < 1000
#error "no CUDART_VERSION"
#endif
cudaError_t use_malloc(void** p) { return cudaMalloc(p, 4); }
"""
RUNTIME_USES_OF_OLDEST = """
#ifdef __cplusplus
cudaError_t use_typed_malloc(float** p) { return cudaMalloc(p, 4); }
#endif
"""


def orders(headers):
    """Each header first, and behind it the others in both directions."""
    for first in headers:
        others = [header for header in headers if header != first]
        yield [first, *others]
        yield [first, *reversed(others)]


def program(headers, uses=""):
    return "\n".join([*(f"#include <{h}>" for h in headers), *(USES[h] for h in headers), uses, ""])


def compiles(command, text):
    done = subprocess.run([*command, "-"], input=text, capture_output=True, text=True)
    if done.returncode:
        print(f"{' '.join(command)}\n{text}{done.stderr[:2000]}")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--c", default="gcc", help="the C compiler")
    parser.add_argument("--cxx", default="g++", help="the C++ compiler")
    parser.add_argument("--ours", required=True, help="our compat directory")
    parser.add_argument("--cuda", default="", help="the toolkit's include directory")
    options = parser.parse_args()
    flags = ["-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-fsyntax-only",
             f"-I{options.ours}"]
    languages = [[options.c, "-x", "c", "-std=c99", *flags],
                 [options.cxx, "-x", "c++", "-std=c++17", *flags]]
    programs = [program([header]) for header in (*OURS, OLDEST)]
    with_toolkit = options.cuda and pathlib.Path(options.cuda, "cublas_v2.h").is_file()
    if with_toolkit:
        languages = [[*command, f"-isystem{options.cuda}"] for command in languages]
        present = [h for h in THEIRS if pathlib.Path(options.cuda, h).is_file()]
        programs = [program(order) for order in orders([*OURS, *present])]
        programs += [program(order) for order in
                     orders([OLDEST, *(h for h in BESIDE_OLDEST if h in present)])]
        programs += [program(["cublas_v2.h"], RUNTIME_USES),
                     program([OLDEST], RUNTIME_USES + RUNTIME_USES_OF_OLDEST)]
    bad = sum(not compiles(command, text) for command in languages for text in programs)
    print(f"{len(programs)} programs in C and C++, {bad} do not compile")
    if bad:
        return 1
    if not with_toolkit:
        print("skipped: no toolkit's headers to compile with")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
