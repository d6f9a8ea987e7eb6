#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""JAX's matrix products on myblas: the same program plain and under LD_PRELOAD, compared.

JAX looks cuBLAS and cublasLt up by dlopen and dlsym, so the preload libraries carry their names. Its
compiler multiplies by cublasLt, or by kernels that it writes with Triton, which is switched off here
where it knows the flag. The linear systems below go through cuSOLVER, whose products come to us too.
"""

import numpy as np

import preload_check

FLOORS = {"float16": 2e-3, "bfloat16": 1e-2, "float32": 5e-6, "float64": 1e-13,
          "complex64": 5e-6, "complex128": 1e-13}
CASES = {
    "square": ((256, 256), (256, 256)),
    "odd": ((131, 67), (67, 255)),
    "batch": ((12, 64, 48), (12, 48, 80)),
}


def compute(_options):
    import jax
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")
    import jax.numpy as jnp
    print(f"jax {jax.__version__} on {jax.devices()[0].device_kind}")
    if jax.devices()[0].platform != "gpu":
        raise SystemExit("JAX has no GPU")

    multiply = jax.jit(jnp.matmul)
    # The gradient of sum(A B), a product with a transposed operand.
    gradient = jax.jit(jax.grad(lambda a, b: jnp.matmul(a, b).astype(jnp.float64).sum()))
    generator = np.random.default_rng(50)
    results = {}
    for name, floor in FLOORS.items():
        dtype = jnp.dtype(name)
        is_complex = name.startswith("complex")
        wide = np.complex128 if is_complex else np.float64
        for case, (shape_a, shape_b) in CASES.items():
            a, b = generator.standard_normal(shape_a), generator.standard_normal(shape_b)
            if is_complex:
                a = a + 1j * generator.standard_normal(shape_a)
                b = b + 1j * generator.standard_normal(shape_b)
            gpu_a, gpu_b = jnp.asarray(a, dtype=dtype), jnp.asarray(b, dtype=dtype)
            a, b = np.asarray(gpu_a).astype(wide), np.asarray(gpu_b).astype(wide)
            got = np.asarray(multiply(gpu_a, gpu_b)).astype(wide)
            results[f"{name} {case}"] = (got, np.matmul(a, b), floor)
            if name in ("float32", "float64"):
                grad = np.asarray(gradient(gpu_a, gpu_b)).astype(wide)
                ones = np.ones(shape_a[:-1] + shape_b[-1:])
                results[f"{name} {case} gradient"] = (grad, ones @ np.swapaxes(b, -1, -2), floor)
    for name, floor in (("float32", 2e-4), ("float64", 1e-11), ("complex64", 2e-4)):
        a = generator.standard_normal((900, 900)) + 30 * np.eye(900)
        b = generator.standard_normal((900, 20))
        gpu_a, gpu_b = jnp.asarray(a, dtype=name), jnp.asarray(b, dtype=name)
        wide = np.complex128 if name.startswith("complex") else np.float64
        x = np.asarray(jnp.linalg.solve(gpu_a, gpu_b)).astype(wide)
        a, b = np.asarray(gpu_a).astype(wide), np.asarray(gpu_b).astype(wide)
        results[f"{name} solve"] = (x, np.linalg.solve(a, b), floor)
    return results


if __name__ == "__main__":
    preload_check.main(
        compute, library=preload_check.SAME_SONAME_LT,
        settings={"XLA_FLAGS": "--xla_gpu_enable_triton_gemm=false",
                  "XLA_PYTHON_CLIENT_PREALLOCATE": "false"})
