// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/lt_threads.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "api/cublas/driver_calls.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {

constinit thread_local LtThread* t_lt_thread = nullptr;

namespace {

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
LtThread* g_free = nullptr;  // under the mutex

pthread_once_t g_key_once = PTHREAD_ONCE_INIT;
pthread_key_t g_key;
bool g_has_key = false;

constexpr const char* kNoGpu = "myblas has no GPU backend here";
constexpr const char* kNoMemory = "no memory for a handle";

void give_back(void* thread) {
  // Other destructors of this thread may still multiply: they take another one.
  t_lt_thread = nullptr;
  auto* const freed = static_cast<LtThread*>(thread);
  pthread_mutex_lock(&g_mutex);
  freed->next = g_free;
  g_free = freed;
  pthread_mutex_unlock(&g_mutex);
}

void make_key() {
  // This library stays: threads call into it when they end.
  Dl_info self;
  if (dladdr(&g_key, &self) == 0 ||
      dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) == nullptr) {
    return;
  }
  g_has_key = pthread_key_create(&g_key, &give_back) == 0;
}

// Holding it, this thread may allocate and load while streams are being captured: nothing of that
// is captured.
class BesideCaptures {
 public:
  explicit BesideCaptures(const DriverCalls& driver) : driver_(driver) {
    entered_ = driver_.exchange_capture_mode(&mode_) == 0;
  }
  ~BesideCaptures() {
    if (entered_) driver_.exchange_capture_mode(&mode_);
  }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  const DriverCalls& driver_;
  int mode_ = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED
  bool entered_;
};

void log_no_handle(const char* reason) {
  char line[256];
  std::snprintf(line, sizeof line,
                "myblas: cublasLtMatmul: %s; every call of this thread and context is forwarded",
                reason);
  myblasDropinLog(line);
}

// Why there is none; nullptr: it is made.
const char* make_handle(const DriverCalls& driver, myblasHandle_t* ours) {
  const BesideCaptures beside_captures(driver);
  // Asked first: without a GPU that myblas runs on, its handle would open OpenBLAS in this process.
  const int usable = myblasDropinGpuUsable();
  if (usable < 0) return "a variable of myblas has no sense";
  if (usable == 0) return kNoGpu;
  myblasHandle_t made = nullptr;
  const myblasStatus_t status = myblasCreate(&made);
  if (status == MYBLAS_STATUS_ALLOC_FAILED) return kNoMemory;
  if (status != MYBLAS_STATUS_SUCCESS) return myblasGetStatusName(status);
  char target_name[16] = "";
  if (myblasGetTargetName(made, target_name, sizeof target_name) != MYBLAS_STATUS_SUCCESS ||
      std::strcmp(target_name, "cpu") == 0) {
    myblasDestroy(made);
    return kNoGpu;
  }
  myblasDropinMarkShadow(made);
  *ours = made;
  return nullptr;
}

LtHandle* add_context(const DriverCalls& driver, LtThread* thread, uint64_t context_id,
                      myblasStream_t stream, const char** reason) {
  int capturing = 0;
  if (driver.stream_is_capturing(stream, &capturing) != 0 || capturing != 0) {
    *reason = "a graph capture before the thread's first product";
    return nullptr;
  }
  if (thread->context_count == LtThread::kMaxContexts) {
    *reason = "too many CUDA contexts";
    return nullptr;
  }
  LtHandle* const handle = &thread->contexts[thread->context_count];
  *handle = LtHandle{};
  handle->context_id = context_id;
  handle->refusal = make_handle(driver, &handle->ours);
  if (handle->refusal == kNoMemory) {  // there may be the next time
    *reason = handle->refusal;
    return nullptr;
  }
  ++thread->context_count;
  if (handle->refusal != nullptr) log_no_handle(handle->refusal);
  return handle;
}

}  // namespace

LtThread* take_lt_thread() {
  pthread_once(&g_key_once, &make_key);
  pthread_mutex_lock(&g_mutex);
  LtThread* thread = g_free;
  if (thread != nullptr) g_free = thread->next;
  pthread_mutex_unlock(&g_mutex);
  if (thread == nullptr) {
    void* const memory = std::malloc(sizeof(LtThread));
    if (memory == nullptr) return nullptr;
    thread = new (memory) LtThread;
  }
  if (g_has_key) pthread_setspecific(g_key, thread);
  t_lt_thread = thread;
  return thread;
}

LtHandle* lt_handle(LtThread* thread, myblasStream_t stream, const char** reason) {
  const DriverCalls* const driver = driver_calls();
  uint64_t context_id = 0;
  // Of the current context; an address would come again after a reset of the device.
  if (driver == nullptr || driver->context_get_id(nullptr, &context_id) != 0) {
    *reason = "no current CUDA context";
    return nullptr;
  }
  LtHandle* handle = &thread->contexts[thread->last_context];
  if (thread->last_context >= thread->context_count || handle->context_id != context_id)
      [[unlikely]] {
    handle = nullptr;
    for (int i = 0; i < thread->context_count && handle == nullptr; ++i) {
      if (thread->contexts[i].context_id == context_id) handle = &thread->contexts[i];
    }
    if (handle == nullptr) handle = add_context(*driver, thread, context_id, stream, reason);
    if (handle == nullptr) return nullptr;
    thread->last_context = static_cast<int>(handle - thread->contexts);
  }
  if (handle->ours != nullptr) [[likely]] {
    return handle;
  }
  *reason = handle->refusal;
  return nullptr;
}

}  // namespace myblas::dropin
