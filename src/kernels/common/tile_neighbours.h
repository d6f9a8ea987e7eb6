// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tile_neighbours.h: tiles of C whose blocks run as a cluster though they
// share no copies.
//
// L2 answers once what SMs of one GPC ask for at the same time. Blocks of a grid that begins while
// the one ahead ends go wherever there is room; those of a cluster are on SMs of one GPC, and
// begin together. So neighbours in C ask for the operand that they have in common together.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

// Neighbours along m, which have B in common, and along n, which have A: powers of two.
struct Neighbours {
  int m = 1, n = 1;
  // What a GPC's blocks ask L2 for, of what they would if they ran anywhere.
  float asked = 1.0F;

  constexpr int blocks() const { return m * n; }
};

// One product in tiles of a block each, one on an SM.
struct NeighbourTiles {
  int64_t m, n;        // of C
  int tile_m, tile_n;  // rows of A and columns of B that a block asks for
  int parts;           // of k, with blocks of their own,
  int64_t k_tiles;     // of so many k-tiles each
};

// Of a block, and in clusters of four and more. Shorter ones start wherever there is room: so many
// SMs of a GPC are seldom free together.
inline constexpr int64_t kLeastKTiles = 16, kLeastKTilesOfFour = 32;

// Clusters of up to eight blocks, all of which run at once, as they would without. `asked` is what
// is expected if those on a GPC are any of the grid's: of S stretches of rows that d clusters ask
// for, S (1 - (1 - 1/S)^d) are different. Alone where it saves less than a tenth.
Neighbours neighbours_of(const NeighbourTiles& tiles, int sm_count);

// The same share, of blocks alone that find all SMs free, as behind a pass: they go to one GPC
// after the other, in the order of their tiles. 1 where they take turns.
float asked_in_order(const NeighbourTiles& tiles, int sm_count);

}  // namespace myblas
