// SPDX-License-Identifier: BSD-3-Clause
// The rows of the report: each call's time is read, and nobody waits for the GPU before the end.
#include "api/cublas/report_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace myblas::dropin {
namespace {

// A GPU on which the first `finished` calls have ended. An event is its number, from 1.
intptr_t finished = 0;
intptr_t made = 0;
int waits = 0, destroyed = 0;

intptr_t number(Event event) { return reinterpret_cast<intptr_t>(event); }
Event event(intptr_t value) { return reinterpret_cast<Event>(value); }

EventPair next_pair() {
  ++made;
  return {event(made), event(made)};
}

std::string printed(ReportTable* table) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  table->print(file);
  std::fclose(file);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(ReportTable, EveryCallIsTimedAndNoneIsWaitedFor) {
  static ReportTable table;
  constexpr int kCalls = 10000;
  for (int i = 0; i < kCalls; ++i) {
    table.add("cublasSgemm_v2", "f32", "NN 1x1x1", "kernel", next_pair());
    if (i == 5000) finished = 4500;  // none before, so that the places run out
  }
  EXPECT_EQ(waits, 0);
  EXPECT_EQ(destroyed, 2 * 4500) << "what has ended is read when places run out";
  const std::string text = printed(&table);
  EXPECT_EQ(waits, kCalls - 4500);
  EXPECT_EQ(destroyed, 2 * kCalls);
  EXPECT_NE(text.find("    10000  10000.000 100.0%  kernel"), std::string::npos) << text;
}

TEST(ReportTable, ClearForgets) {
  static ReportTable table;
  table.add("cublasSgemm_v2", "f32", "NN 1x1x1", "kernel", next_pair());
  EXPECT_FALSE(table.is_empty());
  table.clear();
  EXPECT_TRUE(table.is_empty());
  EXPECT_EQ(printed(&table), "");
}

}  // namespace

const DriverCalls* driver_calls() {
  static DriverCalls calls = [] {
    DriverCalls fake{};
    fake.event_query = [](Event e) { return number(e) <= finished ? 0 : 600; };
    fake.event_synchronize = [](Event) {
      ++waits;
      return 0;
    };
    fake.event_elapsed_ms = [](float* ms, Event, Event) {
      *ms = 1.0f;
      return 0;
    };
    fake.event_destroy = [](Event) {
      ++destroyed;
      return 0;
    };
    fake.exchange_capture_mode = [](int*) { return 0; };
    return fake;
  }();
  return &calls;
}

}  // namespace myblas::dropin
