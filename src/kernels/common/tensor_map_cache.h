// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tensor_map_cache.h: the tensor maps that this thread encoded last.
//==============================================================================
#pragma once

#include "kernels/common/tensor_map.h"

namespace myblas {

// The shape's map, from the cache or encoded now (and kept). False where the driver refuses it.
// No lock: the cache is the calling thread's, allocated at its first map.
bool cached_tensor_map(const TensorMapShape& shape, TensorMap* map);

}  // namespace myblas
