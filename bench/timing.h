// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// timing.h: how long a call takes on the machine and on the host.
//==============================================================================
#pragma once

#include <vector>

#include "contender.h"
#include "machine.h"
#include "measure.h"

namespace bench {

struct TimedLibrary {
  Contender* library;
  double* us;
  double* host_us;
};

double median(std::vector<double> values);

// Records each library's calls over the rotating sets, replays the records turn by turn and
// stores the median of a call's microseconds.
void time_libraries(Machine& machine, const std::vector<TimedLibrary>& libraries, size_t sets,
                    const MeasureSettings& settings);

// Host microseconds of an asynchronous call that takes `call_us` on the device: bursts short
// enough never to fill the launch queue.
double host_cost_us(Machine& machine, Contender& library, size_t sets, double call_us);

}  // namespace bench
