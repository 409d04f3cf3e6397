//===- ThreadSanitizer.h - Tests under the thread sanitizer -----*- C++ -*-===//
//
// Included by one source of a test program.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_TESTS_THREADSANITIZER_H
#define BESSEMER_TESTS_THREADSANITIZER_H

#if defined(__SANITIZE_THREAD__)
#define BESSEMER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BESSEMER_THREAD_SANITIZER 1
#endif
#endif

#ifdef BESSEMER_THREAD_SANITIZER
/// Children of a fork make threads of their own.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }

/// The system's loader maps kernels unseen by the sanitizer, also where a file
/// was mapped before: it takes the code for a part of that file.
extern "C" const char *__tsan_default_suppressions() {
  return "race:bessemer::asset::mapFile\n";
}

/// The sanitizer holds signals back until a thread makes a system call, and
/// compiled code makes none.
#define SKIP_WITHOUT_SIGNALS() GTEST_SKIP() << "needs prompt signals"
#else
#define SKIP_WITHOUT_SIGNALS() static_assert(true)
#endif

#endif // BESSEMER_TESTS_THREADSANITIZER_H
