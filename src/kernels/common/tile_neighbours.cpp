// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/tile_neighbours.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/common/tma_shape.h"

namespace myblas {
namespace {

constexpr int kSmsOfGpc = 16;         // that clusters find place on
constexpr float kAskedAtMost = 0.9F;  // 2560 x 320 x 2560 by 2 x 1, 0.98: 15 % slower
// Longer lines were slower than what is as large and not as long, four along m than blocks alone.
constexpr Neighbours kShapes[] = {{2, 1}, {1, 2}, {2, 2}, {1, 4}, {4, 2}, {2, 4}};
static_assert(std::ranges::all_of(kShapes, [](const Neighbours& shape) {
  return std::has_single_bit(static_cast<unsigned>(shape.m)) &&
         std::has_single_bit(static_cast<unsigned>(shape.n));
}));

int64_t ceil_div(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

// Of `count` things, the different ones among `draws`: count (1 - (1 - 1 / count)^draws), and
// between whole numbers of draws as the line goes.
float different(int64_t count, float draws) {
  const float once = 1.0F - 1.0F / static_cast<float>(count);
  auto whole = static_cast<int>(draws);
  float missed = 1.0F - (draws - static_cast<float>(whole)) * (1.0F - once);
  for (float power = once; whole > 0; whole /= 2, power *= power) {
    if (whole % 2 != 0) missed *= power;
  }
  return static_cast<float>(count) * (1.0F - missed);
}

// C's tiles, and of so many clusters in all those on a GPC.
struct TileCount {
  int64_t m, n;
};
TileCount count_tiles(const NeighbourTiles& tiles) {
  return {ceil_div(tiles.m, tiles.tile_m), ceil_div(tiles.n, tiles.tile_n)};
}
float on_a_gpc(int64_t clusters, int sm_count) {
  const int gpcs = std::max(1, sm_count / kSmsOfGpc);
  return std::max(1.0F, static_cast<float>(clusters) / static_cast<float>(gpcs));
}

// Rows and columns that a GPC's blocks ask for: 0 where the shape does not divide C's tiles, or not
// all clusters run at once.
float asked_rows(const NeighbourTiles& tiles, const Neighbours& shape, int sm_count) {
  const TileCount count = count_tiles(tiles);
  if (count.m % shape.m != 0 || count.n % shape.n != 0) return 0.0F;
  const int64_t units_m = count.m / shape.m, units_n = count.n / shape.n;
  const int64_t clusters = units_m * units_n * tiles.parts;
  if (clusters > clusters_at_once(sm_count, shape.blocks())) return 0.0F;
  const float of_gpc = on_a_gpc(clusters, sm_count);
  return different(units_m * tiles.parts, of_gpc) * static_cast<float>(shape.m * tiles.tile_m) +
         different(units_n * tiles.parts, of_gpc) * static_cast<float>(shape.n * tiles.tile_n);
}

}  // namespace

Neighbours neighbours_of(const NeighbourTiles& tiles, int sm_count) {
  const Neighbours alone;
  if (tiles.k_tiles < kLeastKTiles) return alone;
  const float asked_alone = asked_rows(tiles, alone, sm_count);
  if (asked_alone == 0.0F) return alone;  // they take turns
  Neighbours best = alone;
  float least = kAskedAtMost;
  for (Neighbours shape : kShapes) {
    if (shape.blocks() > 2 && tiles.k_tiles < kLeastKTilesOfFour) continue;
    shape.asked = asked_rows(tiles, shape, sm_count) / asked_alone;
    if (shape.asked == 0.0F || shape.asked >= least) continue;
    least = shape.asked;
    best = shape;
  }
  return best;
}

float asked_in_order(const NeighbourTiles& tiles, int sm_count) {
  const float alone = asked_rows(tiles, {}, sm_count);
  if (alone == 0.0F) return 1.0F;
  const TileCount count = count_tiles(tiles);
  const auto all_m = static_cast<float>(count.m), all_n = static_cast<float>(count.n);
  const auto tile_m = static_cast<float>(tiles.tile_m), tile_n = static_cast<float>(tiles.tile_n);
  const float of_gpc = on_a_gpc(count.m * count.n * tiles.parts, sm_count);
  const float parts = of_gpc / (all_m * all_n);
  if (parts >= 1.0F) return std::min(1.0F, parts * (all_m * tile_m + all_n * tile_n) / alone);
  // Of one part, a nearly square piece (band_of).
  const float along_n = std::min(all_n, std::sqrt(of_gpc * tile_m / tile_n));
  return std::min(1.0F, (of_gpc / along_n * tile_m + along_n * tile_n) / alone);
}

}  // namespace myblas
