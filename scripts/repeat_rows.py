#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each row of a GPU's table, forced, many times on products of many tiles, every element compared.

    scripts/repeat_rows.py --programs build-gpu/bin --library build-gpu/lib/libmyblas.so
    scripts/repeat_rows.py ... --rows dgemm_tma --rounds 50
    scripts/repeat_rows.py ... --rows sgemm --beta -1 # C is added to, as small integers too

For races that small products and samples of large ones miss (docs/adr/0025): runs follow each other
at once, each into a C of its own. Elements are small integers, so that every sum is exact in any
order; the expected C is torch's product in fp64. Rows of batches of pointers get twelve products a
call. Needs a GPU and torch (exit status 77 without). Ends with a count; exit status 1 where an
element was wrong or no row was reached.
"""
import argparse
import ctypes
import itertools
import os
import sys
import time

from table_rows import read_rows

try:
    import torch
except ImportError:
    torch = None

# Name of a type in `myblas-info --rows`: torch's name, myblasDataType_t.
TYPES = {
    "bf16": ("bfloat16", 14), "f16": ("float16", 2), "f32": ("float32", 0), "f64": ("float64", 1),
    "s8": ("int8", 3), "s32": ("int32", 10), "c32": ("complex64", 4), "c64": ("complex128", 5),
}
COMPUTE_16F, COMPUTE_32F, COMPUTE_64F, COMPUTE_32I, COMPUTE_TF32 = 64, 68, 70, 72, 77
OLD = 3  # all of C ahead of a call
RUNS = 12  # that follow each other; products of a batch of pointers


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, help="where myblas-info is")
    parser.add_argument("--library", required=True, help="libmyblas.so")
    parser.add_argument("--target", type=int, default=90, help="table: 80, 90, ... (default: 90)")
    parser.add_argument("--rows", default=".", help="only rows whose name this regular expression finds")
    parser.add_argument("--rounds", type=int, default=3, help=f"of {RUNS} runs (default: %(default)s)")
    parser.add_argument("--beta", type=int, default=0, help="C = A B + beta C (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=300, help="no row is begun later")
    return parser.parse_args()


def dtype_of(name):
    return getattr(torch, TYPES[name][0])


class Operands:
    """A, B (small integers, column-major, packed) and their exact product, as (n, m)."""

    def __init__(self, ab, c, transposed_a, transposed_b, m, n, k):
        self.lda, self.ldb, self.ldc = (k if transposed_a else m), (n if transposed_b else k), m
        self.a, self.b = self.integers(m * k, dtype_of(ab)), self.integers(n * k, dtype_of(ab))
        wide = torch.complex128 if dtype_of(ab).is_complex else torch.float64
        a = (self.a.view(m, k) if transposed_a else self.a.view(k, m).t()).to(wide)
        b = (self.b.view(k, n) if transposed_b else self.b.view(n, k).t()).to(wide)
        self.product, self.dtype_c = (a @ b).t().contiguous(), dtype_of(c)

    def expected(self, beta):
        return (self.product + beta * OLD).to(self.dtype_c)

    @staticmethod
    def integers(count, dtype):
        draw = lambda: torch.randint(-2, 3, (count,), device="cuda")
        if dtype.is_complex:
            return torch.complex(draw().double(), draw().double()).to(dtype)
        return draw().to(dtype)


class Row:
    """A handle that is made to take one row."""

    def __init__(self, library, name, ab, c, beta):
        self.library, self.name, self.ab, self.c, self.beta = library, name, ab, c, beta
        self.by_pointers = "pointers" in name
        os.environ["MYBLAS_KERNEL"] = name
        self.handle = ctypes.c_void_p()
        if library.myblasCreate(ctypes.byref(self.handle)) != 0:
            raise RuntimeError(f"no handle for {name}")
        stream = torch.cuda.current_stream().cuda_stream
        library.myblasSetStream(self.handle, ctypes.c_void_p(stream))
        scalar, self.compute = ctypes.c_float, COMPUTE_32F
        if ab in ("f64", "c64"):
            scalar, self.compute = ctypes.c_double, COMPUTE_64F
        elif c == "s32":
            scalar, self.compute = ctypes.c_int, COMPUTE_32I
        elif "tf32" in name:
            self.compute = COMPUTE_TF32
        elif "f16sum" in name:
            self.compute = COMPUTE_16F
        self.one, self.old = (scalar * 2)(1, 0), (scalar * 2)(beta, 0)
        if self.compute == COMPUTE_16F:
            half = lambda number: torch.tensor([number], dtype=torch.float16).view(torch.int16).item()
            self.one, self.old = ((ctypes.c_int16 * 2)(half(x), 0) for x in (1, beta))

    def close(self):
        self.library.myblasDestroy(self.handle)

    def multiply(self, operands, transposed_a, transposed_b, m, n, k, targets):
        """C = A * B + beta * C into each of `targets`: a call each, or all in one of pointers."""
        head = [self.handle, ctypes.c_int(transposed_a), ctypes.c_int(transposed_b),
                ctypes.c_int(m), ctypes.c_int(n), ctypes.c_int(k), self.one]
        of_ab, of_c = ctypes.c_int(TYPES[self.ab][1]), ctypes.c_int(TYPES[self.c][1])
        tail = [ctypes.c_int(self.compute), ctypes.c_int(-1)]

        def call(function, a, b, c, count):
            status = function(*head, ctypes.c_void_p(a), of_ab, ctypes.c_int(operands.lda),
                              ctypes.c_void_p(b), of_ab, ctypes.c_int(operands.ldb), self.old,
                              ctypes.c_void_p(c), of_c, ctypes.c_int(operands.ldc), *count, *tail)
            if status != 0:
                raise RuntimeError(f"{self.name}: status {status}")

        if self.by_pointers:
            arrays = [torch.tensor([x.data_ptr() for x in matrices], device="cuda") for matrices in
                      ([operands.a] * len(targets), [operands.b] * len(targets), targets)]
            call(self.library.myblasGemmBatchedEx, *(x.data_ptr() for x in arrays),
                 [ctypes.c_int(len(targets))])
            torch.cuda.synchronize()  # the arrays live until then
            return
        for target in targets:
            call(self.library.myblasGemmEx, operands.a.data_ptr(), operands.b.data_ptr(),
                 target.data_ptr(), [])

    def served(self):
        name = ctypes.create_string_buffer(200)
        self.library.myblasGetLastKernelName(name, ctypes.c_size_t(200))
        return name.value.decode().split("@")[0] == self.name


def repeat(row, cache, rounds):
    """(layouts and sizes that reached the row, those of them with wrong elements)"""
    reached, wrong = 0, []
    is_complex = dtype_of(row.c).is_complex
    # Little k for many tiles; and as much as they need to fill a ring several times.
    sizes = [(1024, 1024, 512)] if row.by_pointers else [(4096, 4096, 256), (2048, 2048, 1024)]
    for transposed_a, transposed_b, (m, n, k) in itertools.product((0, 1), (0, 1), sizes):
        if is_complex:
            m, n = m // 2, n // 2
        key = (row.ab, row.c, transposed_a, transposed_b, m, n, k)
        if key not in cache:
            if len(cache) > 24:
                cache.clear()
            cache[key] = Operands(*key)
        operands = cache[key]
        expected = operands.expected(row.beta)
        targets = [torch.full_like(expected, OLD) for _ in range(RUNS)]
        torch.cuda.synchronize()
        start = time.time()
        row.multiply(operands, transposed_a, transposed_b, m, n, k,
                     targets if row.by_pointers else targets[:1])
        torch.cuda.synchronize()
        if not row.served():
            continue
        reached += 1
        # Rows that are slow at this size: fewer runs.
        runs = max(1, min(RUNS, int(0.03 / max(time.time() - start, 1e-5))))
        some = targets if row.by_pointers else targets[:runs]
        elements = 0
        for _ in range(rounds):
            for target in targets:
                target.fill_(OLD)
            row.multiply(operands, transposed_a, transposed_b, m, n, k, some)
            elements += sum((target != expected).sum() for target in some).item()
        if elements:
            layout = "NT"[transposed_a] + "NT"[transposed_b]
            wrong.append(f"{row.name} {layout} {m} x {n} x {k}: {elements} elements of "
                         f"{rounds * len(some)} runs")
    return reached, wrong


def main():
    arguments = parse_arguments()
    if torch is None or not torch.cuda.is_available():
        print("repeat_rows: skipped, no torch with a GPU")
        return 77
    library = ctypes.CDLL(os.path.abspath(arguments.library))
    torch.manual_seed(1)
    end, cache, reached, wrong, late = time.time() + arguments.seconds, {}, 0, [], 0
    for name, ab, c in read_rows(arguments.programs, arguments.target, arguments.rows):
        if ab not in TYPES or c not in TYPES:
            continue
        if time.time() > end:
            late += 1
            continue
        row = Row(library, name, ab, c, arguments.beta)
        of_row, bad = repeat(row, cache, arguments.rounds)
        row.close()
        reached += of_row > 0
        wrong += bad
        for line in bad:
            print(f"WRONG {line}", flush=True)
    print(f"{reached} rows reached, {len(wrong)} products wrong, {late} rows left for lack of time")
    return 1 if wrong or reached == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
