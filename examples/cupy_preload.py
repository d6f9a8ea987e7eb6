#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""CuPy's matrix products on myblas: the same program plain and under LD_PRELOAD, compared.

CuPy opens cuBLAS by itself before its own libraries need it, so the preload library carries
cuBLAS's own name.
"""

import numpy as np

import preload_check

FLOORS = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13, "complex64": 2e-6,
          "complex128": 1e-13}
# (shape of A, shape of B, transposed)
CASES = {
    "square": ((256, 256), (256, 256), False),
    "odd": ((131, 67), (67, 255), False),
    "transposed": ((300, 128), (200, 300), True),
    "batch": ((12, 64, 48), (12, 48, 80), False),
    "broadcast": ((7, 64, 48), (48, 80), False),
    "vector": ((500, 300), (300,), False),
}


def random_array(generator, shape, dtype):
    values = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(dtype)


def compute(_options):
    import cupy
    print(f"cupy {cupy.__version__}")
    generator = np.random.default_rng(40)
    results = {}
    for dtype, floor in FLOORS.items():
        wide = np.complex128 if np.dtype(dtype).kind == "c" else np.float64
        for case, (shape_a, shape_b, transposed) in CASES.items():
            a = random_array(generator, shape_a, dtype)
            b = random_array(generator, shape_b, dtype)
            gpu_a, gpu_b = cupy.asarray(a), cupy.asarray(b)
            if transposed:
                a, b, gpu_a, gpu_b = a.T, b.T, gpu_a.T, gpu_b.T
            got = cupy.asnumpy(cupy.matmul(gpu_a, gpu_b))
            reference = np.matmul(a.astype(wide), b.astype(wide))
            results[f"{dtype} {case}"] = (got.astype(wide), reference, floor)
    return results


if __name__ == "__main__":
    # CUPY_TF32 and CUPY_ACCELERATORS would send products elsewhere or round them.
    preload_check.main(compute, library=preload_check.SAME_SONAME,
                       settings={"CUPY_TF32": "0", "CUPY_ACCELERATORS": ""})
