// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Setters, getters, defaults, status texts and the logger.
//==============================================================================
#include <cstring>

#include "contract_cases.h"

namespace contract {
namespace {

using Create = int(void**);
using Destroy = int(void*);
using SetInt = int(void*, int);
using GetInt = int(void*, int*);
using SetPointer = int(void*, void*);
using GetPointer = int(void*, void**);
using SetWorkspace = int(void*, void*, size_t);
using LogCallback = void(const char*);

template <class Function, class... Args>
std::string answer(const Bench& bench, const std::string& name, Args... args) {
  Function* const function = bench.library().find<Function>(name);
  return function == nullptr ? "missing" : std::to_string(function(args...));
}

std::string value_of(const Bench& bench, void* handle, const std::string& getter) {
  int value = -77;
  const std::string status = answer<GetInt>(bench, getter, handle, &value);
  return status == "0" ? std::to_string(value) : "status " + status;
}

struct Property {
  const char* setter;
  const char* getter;
  int initial;
};

constexpr Property kPointerMode = {"SetPointerMode_v2", "GetPointerMode_v2", 0};
constexpr Property kMathMode = {"SetMathMode", "GetMathMode", 0};
constexpr Property kAtomicsMode = {"SetAtomicsMode", "GetAtomicsMode", 0};
constexpr Property kSmCount = {"SetSmCountTarget", "GetSmCountTarget", 0};

void add(Cases& cases, const std::string& name, const std::string& text, bool needs_handle,
         std::function<std::string(Bench&)> run, bool needs_device = false) {
  cases.push_back({name, text, needs_handle, needs_device, std::move(run)});
}

// Sets, reads back, and restores.
void add_setting(Cases& cases, const Property& property, int value, const std::string& text) {
  add(cases, property.setter, "value=" + text, true, [=](Bench& bench) {
    const std::string status = answer<SetInt>(bench, property.setter, bench.handle(), value);
    const std::string held = value_of(bench, bench.handle(), property.getter);
    answer<SetInt>(bench, property.setter, bench.handle(), property.initial);
    return status + " then get gives " + held;
  });
}

void add_settings(Cases& cases) {
  for (const int v : {-1, 0, 1, 2, 3, 99}) {
    add_setting(cases, kPointerMode, v, std::to_string(v));
    add_setting(cases, kAtomicsMode, v, std::to_string(v));
  }
  for (int v = -1; v <= 40; ++v) add_setting(cases, kMathMode, v, std::to_string(v));
  for (const int v : {48, 64, 128, 256}) add_setting(cases, kMathMode, v, std::to_string(v));
  for (const int v : {-1, 0, 1}) add_setting(cases, kSmCount, v, std::to_string(v));
  for (const int beyond : {-1, 0, 1}) {
    add(
        cases, kSmCount.setter,
        std::string("value=SM count") + (beyond < 0   ? "-1"
                                         : beyond > 0 ? "+1"
                                                      : ""),
        true,
        [=](Bench& bench) {
          const int value = bench.memory().sm_count() + beyond;
          const std::string status = answer<SetInt>(bench, kSmCount.setter, bench.handle(), value);
          const bool held =
              value_of(bench, bench.handle(), kSmCount.getter) == std::to_string(value);
          answer<SetInt>(bench, kSmCount.setter, bench.handle(), 0);
          return status + (held ? " held" : " not held");
        },
        true);
  }
  for (const Property& p : {kPointerMode, kMathMode, kAtomicsMode, kSmCount}) {
    add(cases, p.setter, "handle=NULL", false,
        [=](Bench& bench) { return answer<SetInt>(bench, p.setter, nullptr, 0); });
    add(cases, p.setter, "handle=NULL value=-5", false,
        [=](Bench& bench) { return answer<SetInt>(bench, p.setter, nullptr, -5); });
    add(cases, p.getter, "handle=NULL", false, [=](Bench& bench) {
      int value = 0;
      return answer<GetInt>(bench, p.getter, nullptr, &value);
    });
    add(cases, p.getter, "handle=NULL result=NULL", false,
        [=](Bench& bench) { return answer<GetInt>(bench, p.getter, nullptr, nullptr); });
    add(cases, p.getter, "result=NULL", true,
        [=](Bench& bench) { return answer<GetInt>(bench, p.getter, bench.handle(), nullptr); });
  }
}

void add_life_cycle(Cases& cases) {
  add(cases, "Create_v2", "result=NULL", false,
      [](Bench& bench) { return answer<Create>(bench, "Create_v2", nullptr); });
  add(cases, "Destroy_v2", "handle=NULL", false,
      [](Bench& bench) { return answer<Destroy>(bench, "Destroy_v2", nullptr); });
  add(cases, "Create_v2", "defaults, then Destroy", true, [](Bench& bench) {
    void* handle = nullptr;
    std::string text = answer<Create>(bench, "Create_v2", &handle);
    void* stream = &stream;
    text += " stream " + answer<GetPointer>(bench, "GetStream_v2", handle, &stream);
    text += stream == nullptr ? " NULL" : " not NULL";
    for (const Property& p : {kPointerMode, kMathMode, kAtomicsMode, kSmCount})
      text += std::string(" ") + p.getter + " " + value_of(bench, handle, p.getter);
    return text + " destroy " + answer<Destroy>(bench, "Destroy_v2", handle);
  });
  add(cases, "GetVersion_v2", "handle=NULL", false, [](Bench& bench) {
    int version = -1;
    const std::string status = answer<GetInt>(bench, "GetVersion_v2", nullptr, &version);
    return status + (version > 0 ? " positive" : " not set");
  });
  add(cases, "GetVersion_v2", "handle=NULL result=NULL", false,
      [](Bench& bench) { return answer<GetInt>(bench, "GetVersion_v2", nullptr, nullptr); });
  add(cases, "GetVersion_v2", "result=NULL", true,
      [](Bench& bench) { return answer<GetInt>(bench, "GetVersion_v2", bench.handle(), nullptr); });
  using GetProperty = int(int, int*);
  for (const int type : {-1, 0, 1, 2, 3, 99}) {
    add(cases, "GetProperty", "type=" + std::to_string(type), false, [=](Bench& bench) {
      int value = -77;
      const std::string status = answer<GetProperty>(bench, "GetProperty", type, &value);
      return status + (value == -77 ? " not set" : " set");
    });
  }
  add(cases, "GetProperty", "type=0 result=NULL", false,
      [](Bench& bench) { return answer<GetProperty>(bench, "GetProperty", 0, nullptr); });
  add(cases, "GetProperty", "type=9 result=NULL", false,
      [](Bench& bench) { return answer<GetProperty>(bench, "GetProperty", 9, nullptr); });
}

void add_stream_and_workspace(Cases& cases) {
  add(cases, "SetStream_v2", "handle=NULL", false,
      [](Bench& bench) { return answer<SetPointer>(bench, "SetStream_v2", nullptr, nullptr); });
  add(cases, "SetStream_v2", "stream=NULL", true, [](Bench& bench) {
    return answer<SetPointer>(bench, "SetStream_v2", bench.handle(), nullptr);
  });
  // 1 and 2 are CUDA's names for the legacy and the per-thread default stream.
  for (const uintptr_t special : {1, 2}) {
    add(cases, "SetStream_v2", "stream=" + std::to_string(special), true, [=](Bench& bench) {
      void* stream = reinterpret_cast<void*>(special);
      std::string text = answer<SetPointer>(bench, "SetStream_v2", bench.handle(), stream);
      void* held = nullptr;
      text += " get " + answer<GetPointer>(bench, "GetStream_v2", bench.handle(), &held);
      text += held == stream ? " same" : held == nullptr ? " NULL" : " other";
      text += " gemm " + bench.run_text(Call(routine("Sgemm_v2")));
      answer<SetPointer>(bench, "SetStream_v2", bench.handle(), nullptr);
      return text;
    });
  }
  add(cases, "SetStream_v2", "keeps the modes", true, [](Bench& bench) {
    answer<SetInt>(bench, "SetPointerMode_v2", bench.handle(), 1);
    answer<SetInt>(bench, "SetMathMode", bench.handle(), 3);
    answer<SetInt>(bench, "SetAtomicsMode", bench.handle(), 1);
    std::string text = answer<SetPointer>(bench, "SetStream_v2", bench.handle(), nullptr);
    for (const Property& p : {kPointerMode, kMathMode, kAtomicsMode}) {
      text += std::string(" ") + p.getter + " " + value_of(bench, bench.handle(), p.getter);
      answer<SetInt>(bench, p.setter, bench.handle(), p.initial);
    }
    return text;
  });
  add(cases, "GetStream_v2", "handle=NULL", false, [](Bench& bench) {
    void* stream = nullptr;
    return answer<GetPointer>(bench, "GetStream_v2", nullptr, &stream);
  });
  add(cases, "GetStream_v2", "result=NULL", true, [](Bench& bench) {
    return answer<GetPointer>(bench, "GetStream_v2", bench.handle(), nullptr);
  });

  add(cases, "SetWorkspace_v2", "handle=NULL", false, [](Bench& bench) {
    return answer<SetWorkspace>(bench, "SetWorkspace_v2", nullptr, nullptr, size_t{0});
  });
  struct Workspace {
    const char* text;
    bool null;
    size_t shift, bytes;
  };
  constexpr size_t kMiB = size_t{1} << 20;
  for (const Workspace& w :
       {Workspace{"NULL size=0", true, 0, 0}, Workspace{"NULL size=4MiB", true, 0, 4 * kMiB},
        Workspace{"NULL size=1", true, 0, 1}, Workspace{"aligned size=0", false, 0, 0},
        Workspace{"aligned size=1", false, 0, 1}, Workspace{"aligned size=16KiB", false, 0, 16384},
        Workspace{"aligned size=4MiB", false, 0, 4 * kMiB},
        Workspace{"aligned size=4MiB-1", false, 0, 4 * kMiB - 1},
        Workspace{"off by 1 size=1MiB", false, 1, kMiB},
        Workspace{"off by 16 size=1MiB", false, 16, kMiB},
        Workspace{"off by 128 size=1MiB", false, 128, kMiB},
        Workspace{"off by 255 size=1MiB", false, 255, kMiB},
        Workspace{"off by 256 size=1MiB", false, 256, kMiB},
        Workspace{"off by 1 size=0", false, 1, 0}}) {
    add(cases, "SetWorkspace_v2", w.text, true, [w](Bench& bench) {
      static void* const kBlock = bench.memory().allocate(8 * (size_t{1} << 20));
      void* at = w.null ? nullptr : static_cast<unsigned char*>(kBlock) + w.shift;
      const std::string status =
          answer<SetWorkspace>(bench, "SetWorkspace_v2", bench.handle(), at, w.bytes);
      const std::string gemm = bench.run_text(Call(routine("Sgemm_v2")));
      answer<SetPointer>(bench, "SetStream_v2", bench.handle(), nullptr);
      return status + " then gemm " + gemm;
    });
  }
}

void add_status_texts(Cases& cases) {
  using Text = const char*(int);
  for (const char* name : {"GetStatusName", "GetStatusString"}) {
    for (const int status : {-1, 0, 1, 2, 3, 7, 8, 11, 13, 14, 15, 16, 17, 100}) {
      add(cases, name, "status=" + std::to_string(status), false, [=](Bench& bench) {
        const char* text = bench.library().find<Text>(name)(status);
        if (text == nullptr) return std::string("NULL");
        // One name for both libraries.
        std::string shown = text;
        if (shown.rfind("MYBLAS_", 0) == 0) shown = "CUBLAS_" + shown.substr(7);
        return shown;
      });
    }
  }
}

void ignore_line(const char*) {}

void add_logger(Cases& cases) {
  using Configure = int(int, int, int, const char*);
  using SetCallback = int(LogCallback*);
  using GetCallback = int(LogCallback**);
  const auto configure = [&](const std::string& text, int on, int out, int err, const char* file) {
    add(cases, "LoggerConfigure", text, false, [=](Bench& bench) {
      const std::string status = answer<Configure>(bench, "LoggerConfigure", on, out, err, file);
      answer<Configure>(bench, "LoggerConfigure", 0, 0, 0, static_cast<const char*>(nullptr));
      return status;
    });
  };
  configure("off", 0, 0, 0, nullptr);
  configure("on, no destination", 1, 0, 0, nullptr);
  configure("on, file that cannot be opened", 1, 0, 0, "/nonexistent/directory/log");
  configure("off, file that cannot be opened", 0, 0, 0, "/nonexistent/directory/log");
  configure("on=7 stdout=0 stderr=0", 7, 0, 0, nullptr);
  add(cases, "SetLoggerCallback", "NULL", false, [](Bench& bench) {
    return answer<SetCallback>(bench, "SetLoggerCallback", static_cast<LogCallback*>(nullptr));
  });
  add(cases, "SetLoggerCallback", "set, get, clear, get", false, [](Bench& bench) {
    LogCallback* held = nullptr;
    std::string text = answer<SetCallback>(bench, "SetLoggerCallback", &ignore_line);
    text += ' ';
    text += answer<GetCallback>(bench, "GetLoggerCallback", &held);
    text += held == &ignore_line ? " same" : " other";
    text += ' ';
    text += answer<SetCallback>(bench, "SetLoggerCallback", static_cast<LogCallback*>(nullptr));
    text += ' ';
    text += answer<GetCallback>(bench, "GetLoggerCallback", &held);
    text += held == nullptr ? " NULL" : " other";
    answer<Configure>(bench, "LoggerConfigure", 0, 0, 0, static_cast<const char*>(nullptr));
    return text;
  });
  add(cases, "GetLoggerCallback", "result=NULL", false, [](Bench& bench) {
    return answer<GetCallback>(bench, "GetLoggerCallback", static_cast<LogCallback**>(nullptr));
  });
}

}  // namespace

void add_state_cases(Cases& cases) {
  add_life_cycle(cases);
  add_settings(cases);
  add_stream_and_workspace(cases);
  add_status_texts(cases);
  add_logger(cases);
}

}  // namespace contract
