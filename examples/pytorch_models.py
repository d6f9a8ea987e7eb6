# SPDX-License-Identifier: BSD-3-Clause
"""Two transformers in plain torch with random weights, and what pytorch_benchmark.py times of them.

GPT-2 medium's shape (learned positions, layer norm, biases, GELU, 50257 words: an odd leading
dimension) and Llama 3 8B's (rotary positions, RMS norm, grouped heads, gated MLP). The same seed
gives the same weights in every process.
"""

import dataclasses
import time

import torch
from torch.nn import functional


@dataclasses.dataclass(frozen=True)
class Shape:
    title: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    hidden: int  # of the MLP
    vocabulary: int
    is_llama: bool


SHAPES = {
    "gpt2-medium": Shape("GPT-2 medium", 24, 1024, 16, 16, 4096, 50257, False),
    "llama3-8b": Shape("Llama 3 8B", 32, 4096, 32, 8, 14336, 128256, True),
}
CONTEXT = 4096


class Norm(torch.nn.Module):
    def __init__(self, shape, device, dtype):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(shape.width, device=device, dtype=dtype))
        self.bias = None if shape.is_llama else torch.nn.Parameter(torch.zeros_like(self.weight))

    def forward(self, x):
        if self.bias is not None:
            return functional.layer_norm(x, self.weight.shape, self.weight, self.bias)
        wide = x.float()
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)
        return (wide * scale).to(x.dtype) * self.weight


class Block(torch.nn.Module):
    """One layer. attend(q, k, v) is the caller's: over the sequence itself or over a cache."""

    def __init__(self, shape, device, dtype):
        super().__init__()
        self.shape, self.head = shape, shape.width // shape.heads

        def linear(inputs, outputs):
            return torch.nn.Linear(inputs, outputs, bias=not shape.is_llama, device=device,
                                   dtype=dtype)

        self.before_attention, self.before_mlp = (Norm(shape, device, dtype) for _ in range(2))
        self.qkv = linear(shape.width, (shape.heads + 2 * shape.kv_heads) * self.head)
        self.out = linear(shape.heads * self.head, shape.width)
        self.up = linear(shape.width, shape.hidden * (2 if shape.is_llama else 1))
        self.down = linear(shape.hidden, shape.width)

    def forward(self, x, rotation, attend):
        batch, length, _ = x.shape
        sizes = [count * self.head for count in
                 (self.shape.heads, self.shape.kv_heads, self.shape.kv_heads)]
        q, k, v = (part.view(batch, length, -1, self.head).transpose(1, 2)
                   for part in self.qkv(self.before_attention(x)).split(sizes, -1))
        if rotation is not None:
            q, k = rotate(q, rotation), rotate(k, rotation)
        x = x + self.out(attend(q, k, v).transpose(1, 2).reshape(batch, length, -1))
        middle = self.up(self.before_mlp(x))
        if self.shape.is_llama:
            gate, middle = middle.chunk(2, -1)
            return x + self.down(functional.silu(gate) * middle)
        return x + self.down(functional.gelu(middle, approximate="tanh"))


def rotate(x, rotation):
    cosine, sine = rotation
    low, high = x.chunk(2, -1)
    return torch.cat((low * cosine - high * sine, high * cosine + low * sine), -1)


def attend_causally(q, k, v):
    return functional.scaled_dot_product_attention(q, k, v, is_causal=True,
                                                   enable_gqa=q.shape[1] != k.shape[1])


class Model(torch.nn.Module):
    def __init__(self, shape, layers, device, dtype, seed=1):
        super().__init__()
        self.shape, head = shape, shape.width // shape.heads
        self.words = torch.nn.Parameter(
            torch.empty(shape.vocabulary, shape.width, device=device, dtype=dtype))
        self.blocks = torch.nn.ModuleList(Block(shape, device, dtype) for _ in range(layers))
        self.last_norm = Norm(shape, device, dtype)
        if shape.is_llama:
            self.to_words = torch.nn.Parameter(torch.empty_like(self.words))
            rates = 500000.0 ** (-torch.arange(0, head, 2, device=device).float() / head)
            angles = torch.arange(CONTEXT, device=device).float()[:, None] * rates
            self.register_buffer("cosine", angles.cos().to(dtype))
            self.register_buffer("sine", angles.sin().to(dtype))
        else:
            self.to_words = self.words  # shared
            self.places = torch.nn.Parameter(
                torch.empty(CONTEXT, shape.width, device=device, dtype=dtype))
        generator = torch.Generator(device).manual_seed(seed)
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if parameter.dim() == 2:
                    parameter.normal_(0.0, parameter.shape[1] ** -0.5, generator=generator)
                elif name.endswith("bias"):
                    parameter.normal_(0.0, 0.02, generator=generator)
        self.requires_grad_(False)

    def forward(self, ids, positions, attend_in=lambda _layer: attend_causally):
        x = functional.embedding(ids, self.words)
        rotation = None
        if self.shape.is_llama:
            rotation = self.cosine[positions], self.sine[positions]
        else:
            x = x + self.places[positions]
        for layer, block in enumerate(self.blocks):
            x = block(x, rotation, attend_in(layer))
        return self.last_norm(x)

    def logits(self, hidden):
        return functional.linear(hidden, self.to_words)


class Decoder:
    """One token a sequence and step, over caches of fixed length; on a GPU, a CUDA graph."""

    def __init__(self, model, tokens, start=0):
        """tokens: (batch, length), fed one after the other from position `start`; what lies before
        is noise."""
        self.model, self.tokens = model, tokens
        shape, (batch, length) = model.shape, tokens.shape
        size = (batch, shape.kv_heads, length, shape.width // shape.heads)
        kind = {"device": tokens.device, "dtype": model.words.dtype}
        self.caches = [(torch.randn(size, **kind), torch.randn(size, **kind)) for _ in model.blocks]
        self.position = torch.full((1,), start, device=tokens.device)
        self.graph = None
        if tokens.is_cuda:
            self.capture(start)

    def capture(self, start):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # warm: libraries load and allocate outside the capture
            self.compute()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.compute()
        self.position.fill_(start)

    def attend_in(self, layer):
        keys, values = self.caches[layer]

        def attend(q, k, v):
            keys.index_copy_(2, self.position, k)
            values.index_copy_(2, self.position, v)
            seen = torch.arange(keys.shape[2], device=keys.device) <= self.position
            # Query heads of one group stand as rows: no copy of the cache is needed.
            grouped = q.reshape(q.shape[0], keys.shape[1], -1, q.shape[3])
            attended = functional.scaled_dot_product_attention(grouped, keys, values,
                                                               attn_mask=seen[None, None, None])
            return attended.reshape(q.shape)

        return attend

    def compute(self):
        ids = self.tokens.index_select(1, self.position)
        self.result = self.model.logits(self.model(ids, self.position, self.attend_in))[:, 0]
        self.position.copy_((self.position + 1) % self.tokens.shape[1])

    def step(self):
        if self.graph is None:
            self.compute()
        else:
            self.graph.replay()


def random_tokens(model, batch, length, seed=2):
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randint(model.shape.vocabulary, (batch, length), generator=generator)
    return tokens.to(model.words.device)


def loss_of(model, tokens):
    positions = torch.arange(tokens.shape[1] - 1, device=tokens.device)
    logits = model.logits(model(tokens[:, :-1], positions))
    return functional.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())


def prefill_step(model, batch, length):
    tokens = random_tokens(model, batch, length)
    positions = torch.arange(length, device=tokens.device)

    def step():
        with torch.no_grad():
            model.logits(model(tokens, positions)[:, -1])

    return step, batch * length


def decode_step(model, batch, length):
    """At half of the caches' length."""
    with torch.no_grad():
        decoder = Decoder(model, random_tokens(model, batch, length), start=length // 2)

    def step():
        with torch.no_grad():
            decoder.step()

    return step, batch


def train_step(model, batch, length):
    """Forward, backward, AdamW. The learning rate is 0: the weights stay as they are."""
    tokens = random_tokens(model, batch, length + 1)
    model.requires_grad_(True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, weight_decay=0.0, fused=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss_of(model, tokens).backward()
        optimizer.step()

    return step, batch * length


STEPS = {"prefill": prefill_step, "decode": decode_step, "train": train_step}


def synchronize(model):
    if model.words.is_cuda:
        torch.cuda.synchronize()


def time_scenario(model, kind, batch, length, seconds):
    """Seconds of one step and the tokens that it makes. Everything but the weights is freed."""
    step, tokens = STEPS[kind](model, batch, length)

    def spent(count):
        synchronize(model)
        start = time.perf_counter()
        for _ in range(count):
            step()
        synchronize(model)
        return (time.perf_counter() - start) / count

    spent(2)
    result = spent(min(max(int(seconds / spent(2)), 3), 1000))
    del step
    free(model)
    return {"seconds": result, "tokens": tokens}


def kernel_times(model, kind, batch, length):
    """Microseconds on the device by kernel name, over a few steps."""
    step, _ = STEPS[kind](model, batch, length)
    step()
    synchronize(model)
    activities = [torch.profiler.ProfilerActivity.CUDA] if model.words.is_cuda else None
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(3):
            step()
        synchronize(model)
    del step
    free(model)
    times = {event.key: getattr(event, "self_device_time_total", 0.0)
             for event in profile.key_averages()}
    return {name: us for name, us in times.items() if us > 0.0}


def free(model):
    for parameter in model.parameters():
        parameter.grad = None
    model.requires_grad_(False)
    if model.words.is_cuda:
        torch.cuda.empty_cache()


def results_of(model, length):
    """Logits of a prompt and of decoded tokens, loss and gradients of a training step."""
    tokens = random_tokens(model, 2, length, seed=3)
    results = {}
    with torch.no_grad():
        hidden = model(tokens, torch.arange(length, device=tokens.device))
        results["prefill: logits"] = model.logits(hidden[:, -1])
        decoder = Decoder(model, tokens)
        for _ in range(length):
            decoder.step()
        results["decode: logits"] = decoder.result
        del decoder
    model.requires_grad_(True)
    loss = loss_of(model, tokens)
    loss.backward()
    results["train: loss"] = loss.detach()
    first, last = model.blocks[0], model.blocks[-1]
    for name, weight in (("first qkv", first.qkv.weight), ("first up", first.up.weight),
                         ("last down", last.down.weight), ("to words", model.to_words)):
        results[f"train: d {name}"] = weight.grad[:1024]
    results = {name: tensor.double().cpu().numpy() for name, tensor in results.items()}
    free(model)
    return results


def reference_of(model, length):
    """The same by an fp32 copy of the model; decoding as one pass over all tokens."""
    layers, device = len(model.blocks), model.words.device
    wide = Model(model.shape, layers, device, torch.float32)
    wide.load_state_dict(model.state_dict())
    results = results_of(wide, length)
    results["decode: logits"] = results["prefill: logits"]
    del wide
    free(model)
    return results
