#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CXferPlatform.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct xp_lock {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

xp_lock *xp_lock_make(void) {
  xp_lock *lock = malloc(sizeof *lock);
  if (lock == NULL) abort();
  pthread_mutex_init(&lock->mutex, NULL);
#if defined(__APPLE__)
  pthread_cond_init(&lock->changed, NULL);
#else
  // Timed waits use the monotonic clock, because the wall clock may be changed.
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&lock->changed, &attributes);
  pthread_condattr_destroy(&attributes);
#endif
  return lock;
}

void xp_lock_free(xp_lock *lock) {
  pthread_cond_destroy(&lock->changed);
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void xp_lock_take(xp_lock *lock) { pthread_mutex_lock(&lock->mutex); }
void xp_lock_give(xp_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

void xp_lock_wait(xp_lock *lock, int64_t nanoseconds) {
  if (nanoseconds < 0) {
    pthread_cond_wait(&lock->changed, &lock->mutex);
    return;
  }
#if defined(__APPLE__)
  struct timespec most = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  pthread_cond_timedwait_relative_np(&lock->changed, &lock->mutex, &most);
#else
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += nanoseconds / 1000000000;
  end.tv_nsec += nanoseconds % 1000000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(&lock->changed, &lock->mutex, &end);
#endif
}

void xp_lock_wake(xp_lock *lock) { pthread_cond_broadcast(&lock->changed); }

int xp_processor_count(void) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

bool xp_thread_start(void *(*run)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The thread inherits a mask that blocks all signals, so that the app's own threads receive them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  bool started = pthread_create(&thread, &attributes, run, context) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}
