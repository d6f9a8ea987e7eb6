#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch on myblas: the same program plain and under LD_PRELOAD, results compared.

  --app block   a transformer block, forward and backward, in fp32, fp16 and bf16, with and
                without bias
  --app graph   the block's forward pass captured into a CUDA graph, which is replayed
  --app solve   torch.linalg.solve and its backward in fp32, fp64 and complex: cuSOLVER's LU
                calls our products from within
  --app devices the block in fp32 and bf16 on every GPU, at the same time: one thread that goes from
                one GPU to the next, and a thread each, as DataParallel has them
  --benchmark   the shapes of GPT-2 medium and Llama 3 8B (some of its layers), random weights:
                tokens per second of prefill, decoding and a training step, plain and preloaded in
                turn, and the share of the time that goes into served products. The exit status
                says whether the results are right, not whether they came sooner. torch 2.5 or newer

PyTorch is linked with cuBLAS and cublasLt, so the preload library with the neutral name serves
it. Linear layers with bias go to cublasLt; --without-lt sends them to cuBLAS
(DISABLE_ADDMM_CUDA_LT=1), as older releases of PyTorch do.
"""

import concurrent.futures
import sys

import preload_check
import pytorch_benchmark

SEQUENCES, LENGTH, WIDTH, HEADS = 4, 128, 256, 8


def parameters(torch, bias):
    """The block's weights and input in double on the CPU, always the same."""
    generator = torch.Generator().manual_seed(20)

    def normal(*shape, scale):
        return torch.randn(*shape, generator=generator, dtype=torch.float64) * scale

    shapes = {"qkv": (3 * WIDTH, WIDTH), "proj": (WIDTH, WIDTH), "up": (4 * WIDTH, WIDTH),
              "down": (WIDTH, 4 * WIDTH)}
    tensors = {"x": normal(SEQUENCES, LENGTH, WIDTH, scale=1.0),
               "out_grad": normal(SEQUENCES, LENGTH, WIDTH, scale=0.1)}
    for name, (rows, cols) in shapes.items():
        tensors[name + ".weight"] = normal(rows, cols, scale=cols ** -0.5)
        if bias:
            tensors[name + ".bias"] = normal(rows, scale=0.1)
    return tensors


def block(torch, t):
    """Attention and MLP, each after a layer norm and added to its input."""
    functional = torch.nn.functional

    def linear(name, value):
        return functional.linear(value, t[name + ".weight"], t.get(name + ".bias"))

    x = t["x"]
    qkv = linear("qkv", functional.layer_norm(x, (WIDTH,)))
    qkv = qkv.view(SEQUENCES, LENGTH, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
    query, key, value = qkv[0], qkv[1], qkv[2]
    weights = torch.softmax(query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5, dim=-1)
    attended = (weights @ value).transpose(1, 2).reshape(SEQUENCES, LENGTH, WIDTH)
    x = x + linear("proj", attended)
    hidden = functional.gelu(linear("up", functional.layer_norm(x, (WIDTH,))))
    return x + linear("down", hidden)


def run_block(torch, tensors, device, dtype):
    """The block's output and all its gradients, as double on the CPU."""
    # copy: each run has leaves of its own, whose gradients start empty.
    placed = {name: t.to(device=device, dtype=dtype, copy=True) for name, t in tensors.items()}
    out_grad = placed.pop("out_grad")
    for t in placed.values():
        t.requires_grad_(True)
    y = block(torch, placed)
    y.backward(out_grad)
    results = {"y": y.detach(), **{f"d {name}": t.grad for name, t in placed.items()}}
    return {name: t.to(device="cpu", dtype=torch.float64).numpy() for name, t in results.items()}


def compute_block(torch):
    # The error that is allowed whatever the plain run's is: a few units of the type's rounding.
    floors = {torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}
    results = {}
    for bias in (False, True):
        tensors = parameters(torch, bias)
        for dtype, floor in floors.items():
            # Rounded first, so that the reference sees the numbers that the GPU sees.
            rounded = {name: t.to(dtype).double() for name, t in tensors.items()}
            reference = run_block(torch, rounded, "cpu", torch.float64)
            got = run_block(torch, rounded, "cuda", dtype)
            label = f"{str(dtype).split('.')[-1]}{' bias' if bias else ''}"
            for name, array in got.items():
                results[f"{label}: {name}"] = (array, reference[name], floor)
    torch.cuda.synchronize()
    return results


def replay_block(torch, tensors, dtype):
    """The block's output from the second replay of a CUDA graph, as double on the CPU."""
    placed = {name: t.to(device="cuda", dtype=dtype) for name, t in tensors.items()}
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(aside):
        block(torch, placed)  # what is made at the first call is made
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        y = block(torch, placed)
    graph.replay()
    y.zero_()
    graph.replay()
    return y.to(device="cpu", dtype=torch.float64).numpy()


def compute_graph(torch):
    floors = {torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}
    results = {}
    for bias in (False, True):
        tensors = parameters(torch, bias)
        del tensors["out_grad"]
        for dtype, floor in floors.items():
            rounded = {name: t.to(dtype).double() for name, t in tensors.items()}
            label = f"{str(dtype).split('.')[-1]}{' bias' if bias else ''}"
            results[f"{label}: y"] = (replay_block(torch, rounded, dtype),
                                      block(torch, rounded).numpy(), floor)
    return results


def compute_devices(torch):
    """The same on each GPU. A tensor says where its products run, not which GPU is current."""
    floors = {torch.float32: 1e-6, torch.bfloat16: 8e-3}
    gpus = [f"cuda:{i}" for i in range(torch.cuda.device_count())]
    results = {}
    tensors = parameters(torch, bias=False)
    for dtype, floor in floors.items():
        rounded = {name: t.to(dtype).double() for name, t in tensors.items()}
        reference = run_block(torch, rounded, "cpu", torch.float64)
        runs = {f"{gpu} in turn": run_block(torch, rounded, gpu, dtype) for gpu in gpus}
        with concurrent.futures.ThreadPoolExecutor(len(gpus)) as threads:
            at_once = {gpu: threads.submit(run_block, torch, rounded, gpu, dtype) for gpu in gpus}
        runs.update({f"{gpu} at once": run.result() for gpu, run in at_once.items()})
        for label, got in runs.items():
            for name, array in got.items():
                results[f"{str(dtype).split('.')[-1]} {label}: {name}"] = (
                    array, reference[name], floor)
    return results


def compute_solve(torch):
    floors = {torch.float32: 2e-6, torch.float64: 1e-14, torch.complex64: 2e-6,
              torch.complex128: 1e-14}
    results = {}
    generator = torch.Generator().manual_seed(30)
    for dtype, floor in floors.items():
        wide = torch.complex128 if dtype.is_complex else torch.float64
        for n, columns in ((257, 3), (1024, 130)):
            # Diagonally strong, so that the error says something of the products alone.
            a = torch.randn(n, n, generator=generator, dtype=wide) + 3.0 * n ** 0.5 * torch.eye(
                n, dtype=wide)
            b = torch.randn(n, columns, generator=generator, dtype=wide)
            a, b = a.to(dtype), b.to(dtype)
            reference = torch.linalg.solve(a.to(wide), b.to(wide))
            a_gpu = a.cuda().requires_grad_(True)
            x = torch.linalg.solve(a_gpu, b.cuda())
            x.abs().square().sum().backward()
            residual = a.to(wide) @ x.detach().cpu().to(wide)
            label = f"{str(dtype).split('.')[-1]} {n}"
            results[f"{label}: x"] = (x.detach().cpu().to(wide).numpy(), reference.numpy(), floor)
            results[f"{label}: A x"] = (residual.numpy(), b.to(wide).numpy(), floor)
            # d|x|^2/dA = -2 inv(A)^H x x^H
            grad = -2.0 * torch.linalg.solve(a.to(wide).mH, reference) @ reference.mH
            results[f"{label}: dA"] = (a_gpu.grad.cpu().to(wide).numpy(), grad.numpy(), floor)
    return results


def compute(options):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}")
    return {"block": compute_block, "devices": compute_devices, "graph": compute_graph,
            "solve": compute_solve}[options.app](torch)


def configure(parser):
    parser.add_argument("--app", choices=("block", "devices", "graph", "solve"), default="block")
    parser.add_argument("--benchmark", action="store_true", help="time transformers end to end")
    parser.add_argument("--quick", action="store_true",
                        help="a benchmark of half a minute: fewer layers, tokens and repetitions")
    parser.add_argument("--without-lt", action="store_true",
                        help="biased layers by cuBLAS instead of cublasLt")


if __name__ == "__main__":
    arguments = preload_check.parse_options(configure)
    environment = {"DISABLE_ADDMM_CUDA_LT": "1"} if arguments.without_lt else {}
    if arguments.benchmark:
        preloaded = preload_check.libraries_to_preload(preload_check.NEUTRAL, arguments)
        good = pytorch_benchmark.main(preloaded, arguments, environment)
        print("PASS" if good else "FAIL")
        sys.exit(0 if good else 1)
    preload_check.main(compute, library=preload_check.NEUTRAL, configure=configure,
                       settings=environment)
