# SPDX-License-Identifier: BSD-3-Clause
"""Reads compiled kernels without a disassembler: the cubins of a fatbin, each kernel's resources,
its instructions by class, and its loops.

What is decoded is little and has been the same from sm_75 to sm_120: an instruction is 16 bytes,
the low 9 bits are its opcode, 3 more the form of its operands, 4 its predicate, and a branch holds
its distance. kernel_report.py --nvdisasm compares every instruction with NVIDIA's disassembler.
"""
import collections
import struct

# Low 9 bits of the first word -> class. All else is "other".
OPCODES = {
    0x023: "FFMA", 0x049: "FFMA2", 0x02B: "DFMA", 0x031: "HFMA2", 0x026: "IDP",
    0x024: "IMAD", 0x025: "IMAD", 0x027: "IMAD",
    0x03C: "HMMA", 0x037: "IMMA", 0x03F: "DMMA", 0x07A: "QMMA",
    0x1F0: "HGMMA", 0x1F1: "IGMMA", 0x1F3: "QGMMA",
    0x03B: "LDSM", 0x044: "STSM", 0x184: "LDS", 0x188: "STS", 0x181: "LDG", 0x1AE: "LDGSTS",
    0x1B4: "UTMALDG", 0x1B5: "UTMASTG", 0x180: "LD", 0x185: "ST", 0x186: "STG", 0x1A8: "ATOMG",
    0x02E: "ACQBULK", 0x11D: "BAR", 0x183: "LDL", 0x187: "STL",
    0x147: "BRA", 0x141: "BSYNC", 0x145: "BSSY", 0x14D: "EXIT", 0x150: "RET",
}  # fmt: skip

# What a loop is for: fused multiply-adds of a warp's instruction, roughly. IMAD computes addresses
# too, so it decides only where there is nothing else.
MATH_WEIGHT = {
    "FFMA": 32, "FFMA2": 64, "DFMA": 32, "HFMA2": 64, "IDP": 128, "IMAD": 0.01,
    "HMMA": 2048, "IMMA": 4096, "DMMA": 256, "QMMA": 4096,
    "HGMMA": 65536, "IGMMA": 65536, "QGMMA": 65536,
}  # fmt: skip

COPIES = {"LDG", "LDGSTS", "UTMALDG"}
GLOBAL_MEMORY = COPIES | {"LD", "ST", "STG", "ATOMG", "UTMASTG"}

BYTES = 16  # of an instruction
TURNS = 1.5  # of an inner loop in one of the loop around it, at least

Instruction = collections.namedtuple("Instruction", "name low high")
Kernel = collections.namedtuple(
    "Kernel", "name arch registers stack static_smem max_threads instructions"
)


class FormatError(Exception):
    pass


# ---- containers ---------------------------------------------------------------------------------


def cubins_of_fatbin(data):
    """(compute capability, ELF image) of each machine code in the fatbin; PTX is passed over."""
    magic, _, header, size = struct.unpack_from("<IHHQ", data, 0)
    if magic != 0xBA55ED50:
        raise FormatError("not a fatbin")
    at, end = header, header + size
    while at < end:
        kind, _, entry_header, payload = struct.unpack_from("<HHIQ", data, at)
        if kind == 2:
            (arch,) = struct.unpack_from("<I", data, at + 28)
            image = data[at + entry_header : at + entry_header + payload]
            if image[:4] != b"\x7fELF":
                raise FormatError(f"the code for sm_{arch} is compressed")
            yield arch, image
        at += entry_header + payload


def sections_of(elf):
    """Name -> (bytes, size) of each section of a 64-bit ELF file, and the symbols' names."""
    (offset,) = struct.unpack_from("<Q", elf, 40)
    entry, count, names_index = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + i * entry) for i in range(count)]

    def content(header):
        kind_nobits = 8
        return b"" if header[1] == kind_nobits else elf[header[4] : header[4] + header[5]]

    def text(table, at):
        return table[at : table.index(b"\0", at)].decode()

    names = content(headers[names_index])
    sections = {text(names, h[0]): (content(h), h[5]) for h in headers}
    strings, symbols = sections[".strtab"][0], sections[".symtab"][0]
    symbol_names = [
        text(strings, struct.unpack_from("<I", symbols, at)[0]) for at in range(0, len(symbols), 24)
    ]
    return sections, symbol_names


def attributes_of(info):
    """(attribute, value bytes) of a .nv.info section."""
    at = 0
    while at < len(info):
        form, attribute = info[at], info[at + 1]
        if form == 4:  # a size, then so many bytes
            (size,) = struct.unpack_from("<H", info, at + 2)
            yield attribute, info[at + 4 : at + 4 + size]
            at += 4 + size
        else:  # none, one or two bytes, all in the same word
            yield attribute, info[at + 2 : at + 4]
            at += 4


def kernels_of(elf, arch):
    """Every kernel of a cubin."""
    register_count, frame_size, max_threads = 0x2F, 0x11, 0x05  # attributes of .nv.info
    sections, symbols = sections_of(elf)
    registers, stack = {}, {}
    for attribute, value in attributes_of(sections[".nv.info"][0]):
        if attribute in (register_count, frame_size):
            symbol, number = struct.unpack("<II", value)
            (registers if attribute == register_count else stack)[symbols[symbol]] = number
    for section, (code, _) in sections.items():
        if not section.startswith(".text."):
            continue
        name = section[len(".text.") :]
        if ".nv.info." + name not in sections:
            continue  # a function that kernels call
        threads = 0
        for attribute, value in attributes_of(sections[".nv.info." + name][0]):
            if attribute == max_threads:
                x, y, z = struct.unpack("<III", value)
                threads = x * y * z
        yield Kernel(
            name,
            arch,
            registers[name],
            stack.get(name, 0),
            sections.get(".nv.shared." + name, (b"", 0))[1],
            threads,
            decode(code),
        )


# ---- instructions -------------------------------------------------------------------------------


def decode(code):
    words = struct.unpack(f"<{len(code) // 8}Q", code)
    return [
        Instruction(OPCODES.get(low & 0x1FF, "other"), low, high)
        for low, high in zip(words[::2], words[1::2])
    ]


def local_bytes(kernel):
    """Bytes a thread's instructions store to and load from local memory: spills and arrays."""
    width = {4: 4, 5: 8, 6: 16}
    total = 0
    for i in kernel.instructions:
        if i.name in ("LDL", "STL"):
            total += width.get(i.high >> 9 & 7, 4)
    return total


def is_conditional(i):
    """Whether the next instruction may follow a branch, exit or return."""
    always = 7
    if i.low >> 12 & 0xF != always:
        return True
    if i.name != "BRA":
        return False
    is_uniform = i.low & 0xE00 == 0x400  # BRA.U: a uniform predicate of its own
    return is_uniform or i.high >> 23 & 0xF != always


def branch_target(kernel, index):
    """Index of the instruction that a branch leads to."""
    i = kernel.instructions[index]
    word = i.low | i.high << 64
    distance, bits = word >> 34 & (1 << 48) - 1, 48
    if kernel.arch >= 90:  # 8 more bits, the lowest, elsewhere
        distance, bits = distance << 8 | i.low >> 16 & 0xFF, 56
    if distance >> (bits - 1):
        distance -= 1 << bits
    return index + 1 + distance * 4 // BYTES


# ---- loops --------------------------------------------------------------------------------------


def blocks_of(kernel):
    """Basic blocks reachable from the entry: first index -> (end index, successors' first)."""
    instructions = kernel.instructions
    leaders = {0}
    for at, i in enumerate(instructions):
        if i.name == "BRA":
            leaders |= {branch_target(kernel, at), at + 1}
        elif i.name in ("EXIT", "RET"):
            leaders.add(at + 1)
    blocks, pending = {}, [0]
    while pending:
        first = pending.pop()
        if first in blocks or first >= len(instructions):
            continue
        end = first + 1
        while end < len(instructions) and end not in leaders:
            end += 1
        last = instructions[end - 1]
        successors = []
        if last.name == "BRA":
            successors.append(branch_target(kernel, end - 1))
        if last.name not in ("BRA", "EXIT", "RET") or is_conditional(last):
            successors.append(end)
        successors = [s for s in dict.fromkeys(successors) if s < len(instructions)]
        blocks[first] = (end, successors)
        pending += successors
    return blocks


def ahead_of_wait(kernel):
    """How many of its instructions that touch global memory some way through the code reaches
    without a wait for the grid ahead (griddepcontrol.wait). A way that no values take counts too."""
    blocks, seen, pending, count = blocks_of(kernel), set(), [0], 0
    while pending:
        first = pending.pop()
        if first in seen:
            continue
        seen.add(first)
        end, successors = blocks[first]
        for i in kernel.instructions[first:end]:
            if i.name == "ACQBULK" and not is_conditional(i):
                break
            count += i.name in GLOBAL_MEMORY
        else:
            pending += successors
    return count


def dominators_of(blocks):
    """Block -> its immediate dominator, by the iteration over reverse postorder."""
    order, state = [], {}
    stack = [(0, iter(blocks[0][1]))]
    state[0] = True
    while stack:
        block, successors = stack[-1]
        for s in successors:
            if s not in state:
                state[s] = True
                stack.append((s, iter(blocks[s][1])))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    rank = {block: at for at, block in enumerate(order)}
    predecessors = collections.defaultdict(list)
    for block, (_, successors) in blocks.items():
        for s in successors:
            predecessors[s].append(block)
    above = {0: 0}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            meet = None
            for p in predecessors[block]:
                if p not in above:
                    continue
                if meet is None:
                    meet = p
                while meet != p:
                    if rank[meet] > rank[p]:
                        meet = above[meet]
                    else:
                        p = above[p]
            if above.get(block) != meet:
                above[block] = meet
                changed = True
    return above, predecessors


def loops_of(kernel):
    """Natural loops: head -> set of blocks; and the blocks themselves."""
    blocks = blocks_of(kernel)
    above, predecessors = dominators_of(blocks)

    def dominates(head, block):
        while block != head and block != 0:
            block = above[block]
        return block == head

    loops = collections.defaultdict(set)
    for tail, (_, successors) in blocks.items():
        for head in successors:
            if not dominates(head, tail):
                continue
            body, pending = {head}, [tail]
            while pending:
                block = pending.pop()
                if block not in body:
                    body.add(block)
                    pending += predecessors[block]
            loops[head] |= body
    return loops, blocks


def histogram(kernel, blocks, body):
    return collections.Counter(
        kernel.instructions[at].name for b in body for at in range(b, blocks[b][0])
    )


def math_of(counts):
    return sum(MATH_WEIGHT.get(name, 0) * count for name, count in counts.items())


def busiest_path(kernel, loops, blocks, head, math):
    """Blocks of one pass through a loop in its steady state: of all ways from the head back to it
    those with the most instructions of the class `math`, of these those that bring operands from
    global memory, and of these the shortest. What other layouts and alignments would need is not
    on it."""

    def cost_of(block):
        counts = histogram(kernel, blocks, [block])
        return counts[math], bool(COPIES & counts.keys()), -sum(counts.values())

    body = loops[head]
    heads = {h for h in loops if loops[h] <= body}
    edges, waiting = collections.defaultdict(list), collections.Counter()
    for block in body:
        for s in blocks[block][1]:
            is_back_edge = s in heads and block in loops[s]
            if s in body and not is_back_edge:
                edges[block].append(s)
                waiting[s] += 1
    # Best way to each block, with and without copies so far; a block is settled after all blocks
    # that lead to it.
    best = collections.defaultdict(dict)
    count, copies, length = cost_of(head)
    best[head][copies] = (count, length, (head,))
    pending, ends = [head], []
    while pending:
        block = pending.pop()
        if head in blocks[block][1]:
            ends += [(cost[0], copies, cost[1], cost[2]) for copies, cost in best[block].items()]
        for s in edges[block]:
            count, copies, length = cost_of(s)
            for before, (b_count, b_length, path) in best[block].items():
                cost = (b_count + count, b_length + length, path + (s,))
                after = before or copies
                if after not in best[s] or cost > best[s][after]:
                    best[s][after] = cost
            waiting[s] -= 1
            if waiting[s] == 0:
                pending.append(s)
    return max(ends)[3] if ends else body  # no end: not reducible, there is no order to follow


def math_class(counts):
    """The class that does most of the math; None where there is none."""
    math = {name: MATH_WEIGHT[name] * counts[name] for name in counts if name in MATH_WEIGHT}
    return max(math, key=math.get) if math else None


def main_loop(kernel):
    """The innermost loop with the most math, a loop within another one counted as run TURNS times
    as often, and of loops with as much the shortest, as other layouts and alignments have theirs:
    class -> count on its busiest path, and in all of it. Empty where no loop computes."""
    loops, blocks = loops_of(kernel)
    best, most = None, (0, 0)
    for head, body in loops.items():
        inner = set()
        for other, other_body in loops.items():
            if other != head and other_body < body:
                inner |= other_body
        depth = sum(body < other_body for other_body in loops.values())
        counts = histogram(kernel, blocks, body - inner)
        own = int(math_of(counts) * TURNS**depth), -sum(counts.values())
        if own > most:
            best, most = head, own
    if best is None:
        return collections.Counter(), collections.Counter()
    whole = histogram(kernel, blocks, loops[best])
    path = busiest_path(kernel, loops, blocks, best, math_class(whole))
    return histogram(kernel, blocks, path), whole
