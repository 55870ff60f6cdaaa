#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <spawn.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif

int64_t xp_clock_monotonic_machine(void) {
  struct timespec now;
#if defined(__APPLE__)
  clock_gettime(CLOCK_UPTIME_RAW, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t xp_clock_monotonic(void) { return xp_clock_monotonic_machine() + xp_clock_ahead(); }

int64_t xp_clock_boottime(void) {
  struct timespec now;
#if defined(__APPLE__)
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
#else
  clock_gettime(CLOCK_BOOTTIME, &now);
#endif
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + xp_clock_ahead();
}

int64_t xp_clock_wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + xp_clock_ahead();
}

static __thread uint32_t cached_thread_id;

uint32_t xp_thread_id(void) {
  if (cached_thread_id == 0) {
#if defined(__linux__)
    cached_thread_id = (uint32_t)syscall(SYS_gettid);
#else
    uint64_t id = 0;
    pthread_threadid_np(NULL, &id);
    cached_thread_id = (uint32_t)id;
#endif
  }
  return cached_thread_id;
}

// A forked child has a new thread ID. pthread_atfork calls this function in the child's only thread.
static void forget_thread_id(void) { cached_thread_id = 0; }

struct slot {
  uint64_t owner;
  void *pointer;
  void (*ended)(void *);
};

enum { slot_count = 8 };

// The thread's block of slots, or NULL before the first slot is set. The block is on the heap, because macOS releases thread-local
// variables before it calls the destructors of pthread keys.
static __thread struct slot *slots;
static pthread_key_t slot_key;
static pthread_once_t slot_once = PTHREAD_ONCE_INIT;

static void thread_ended(void *block) {
  struct slot *ending = block;
  // If a call below sets a slot, it gets a new block, for which the system calls this function again.
  slots = NULL;
  for (int i = 0; i < slot_count; i++) {
    if (ending[i].pointer != NULL && ending[i].ended != NULL) ending[i].ended(ending[i].pointer);
  }
  free(ending);
}

static void make_slot_key(void) {
  pthread_key_create(&slot_key, thread_ended);
  pthread_atfork(NULL, NULL, forget_thread_id);
}

void *xp_slot_get(uint64_t owner) {
  if (slots == NULL) return NULL;
  for (int i = 0; i < slot_count; i++) {
    if (slots[i].owner == owner) return slots[i].pointer;
  }
  return NULL;
}

void xp_slot_set(uint64_t owner, void *pointer, void (*ended)(void *)) {
  if (slots == NULL) {
    if (pointer == NULL) return;
    pthread_once(&slot_once, make_slot_key);
    slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL || pthread_setspecific(slot_key, slots) != 0) abort();
  }
  int place = slot_count - 1;
  for (int i = slot_count - 1; i >= 0; i--) {
    if (slots[i].owner == 0) place = i;
  }
  for (int i = 0; i < slot_count; i++) {
    if (slots[i].owner == owner) place = i;
  }
  struct slot old = slots[place];
  slots[place] = (struct slot){pointer == NULL ? 0 : owner, pointer, ended};
  if (old.owner != 0 && old.pointer != NULL && old.pointer != pointer && old.ended != NULL) old.ended(old.pointer);
}

void xp_populate(void *address, size_t size) {
#if defined(__linux__)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
  // The result is ignored, because pages that were not populated are faulted in by a store. Older kernels return EINVAL.
  madvise(address, size, MADV_POPULATE_WRITE);
#else
  (void)address;
  (void)size;
#endif
}

void xp_prefer_large_pages(void *address, size_t size) {
#if defined(MADV_HUGEPAGE)
  madvise(address, size, MADV_HUGEPAGE);
#else
  (void)address;
  (void)size;
#endif
}

int xp_reserve(int descriptor, int64_t size) {
#if defined(__APPLE__)
  fstore_t store = {F_ALLOCATECONTIG | F_ALLOCATEALL, F_PEOFPOSMODE, 0, size, 0};
  if (fcntl(descriptor, F_PREALLOCATE, &store) == -1) {
    store.fst_flags = F_ALLOCATEALL;
    if (fcntl(descriptor, F_PREALLOCATE, &store) == -1) return errno;
  }
  return ftruncate(descriptor, size) == 0 ? 0 : errno;
#else
  int result;
  // posix_fallocate is not used: if the file system cannot reserve space, it writes every block instead of failing.
  do {
    result = fallocate(descriptor, 0, 0, size) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result;
#endif
}

const char *xp_variable(const char *name) {
  const char *value = getenv(name);
  return value == NULL || value[0] == 0 ? NULL : value;
}

int64_t xp_largest_file(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX) return INT64_MAX;
  return (int64_t)limit.rlim_cur;
}

int64_t xp_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT32_MAX) return INT32_MAX;
  return (int64_t)limit.rlim_cur;
}

void xp_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
#if defined(__APPLE__)
  // macOS rejects values above OPEN_MAX, even if the hard limit is higher.
  if (limit.rlim_cur > OPEN_MAX) limit.rlim_cur = OPEN_MAX;
#endif
  setrlimit(RLIMIT_NOFILE, &limit);
}

bool xp_copies_on_write(int descriptor) {
#if defined(__linux__)
  struct statfs information;
  if (fstatfs(descriptor, &information) != 0) return false;
  switch ((uint32_t)information.f_type) {
  case 0x9123683E: // btrfs
  case 0x2FC12FC1: // zfs
  case 0xCA451A4E: // bcachefs
    return true;
  default:
    return false;
  }
#elif defined(__APPLE__)
  // APFS uses the preallocated blocks, except where a snapshot or a clone shares them. The first store into a shared block needs a new
  // one, so on a full disk it can raise SIGBUS. This is accepted: an app cannot detect a snapshot, and appending is several times slower.
  (void)descriptor;
  return false;
#else
  (void)descriptor;
  return true;
#endif
}

const volatile uint32_t *xp_fork_page(void) {
#if defined(MADV_WIPEONFORK)
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  uint32_t *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, size, MADV_WIPEONFORK) != 0) {
    munmap(page, size);
    return NULL;
  }
  *page = 1;
  return page;
#else
  return NULL;
#endif
}

void xp_fork_page_release(const volatile uint32_t *page) {
  if (page != NULL) munmap((void *)(uintptr_t)page, (size_t)sysconf(_SC_PAGESIZE));
}

int xp_rename_exclusive(const char *from, const char *to) {
#if defined(__APPLE__)
  return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
#else
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#endif
}

#if defined(__APPLE__)
#include <TargetConditionals.h>
// Data protection class C: "protected until first user authentication". An app's default may be class A, whose files cannot be opened
// while the device is locked, and whose mapped pages then raise SIGBUS. The headers do not define the class.
enum { protection_class_c = 3 };

// Errors are ignored: volumes without data protection, such as those of a Mac, do not support it.
static void protect_until_first_unlock(int descriptor) { fcntl(descriptor, F_SETPROTECTIONCLASS, protection_class_c); }
#endif

int xp_open(const char *path, int flags, mode_t mode) {
  int descriptor;
  do {
    descriptor = open(path, flags, mode);
  } while (descriptor < 0 && errno == EINTR);
#if defined(__APPLE__)
  if (descriptor >= 0 && (flags & O_CREAT) != 0) protect_until_first_unlock(descriptor);
#endif
  return descriptor;
}

int xp_make_directory(const char *path, mode_t mode) {
  if (mkdir(path, mode) != 0) return errno;
#if defined(__APPLE__)
  // New files inherit their directory's class. Without class C, they could not be created while the device is locked.
  int descriptor = xp_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (descriptor >= 0) {
    protect_until_first_unlock(descriptor);
    close(descriptor);
  }
#endif
  return 0;
}

bool xp_is_locked_out(int error) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
  return error == EPERM;
#else
  (void)error;
  return false;
#endif
}

#if defined(__linux__)
// Stores the directory of a path: the part before its last slash, or "." if there is none. Returns false if it does not fit.
static bool directory_of(const char *path, char *directory, size_t size) {
  const char *slash = strrchr(path, '/');
  size_t count = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
  if (count >= size) return false;
  memcpy(directory, slash == NULL ? "." : path, slash == NULL ? 1 : count);
  directory[slash == NULL ? 1 : count] = 0;
  return true;
}
#endif

int xp_open_unnamed(const char *path, mode_t mode) {
#if defined(__linux__)
  // xp_name_file needs /proc to name the file, so without /proc no unnamed file is opened.
  static int can_be_named = -1;
  if (can_be_named < 0) can_be_named = access("/proc/self/fd", X_OK) == 0;
  char directory[PATH_MAX];
  if (can_be_named && directory_of(path, directory, sizeof directory)) return xp_open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#endif
  errno = ENOTSUP;
  return -1;
}

int xp_name_file(int descriptor, const char *path) {
#if defined(__linux__)
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
#else
  return ENOTSUP;
#endif
}

int xp_lock_file(int descriptor) {
  int result;
  do {
    result = flock(descriptor, LOCK_EX) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result;
}

int xp_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int xp_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

static struct termios terminal_before;
static bool terminal_is_raw;

int xp_terminal_raw(int descriptor) {
  if (tcgetattr(descriptor, &terminal_before) != 0) return -1;
  struct termios raw = terminal_before;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  // Ctrl-Z is disabled: a suspended process would leave the shell with a terminal without echo.
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  if (tcsetattr(descriptor, TCSAFLUSH, &raw) != 0) return -1;
  terminal_is_raw = true;
  return 0;
}

void xp_terminal_restore(int descriptor) {
  if (!terminal_is_raw) return;
  tcsetattr(descriptor, TCSAFLUSH, &terminal_before);
  terminal_is_raw = false;
}

int xp_watch_directory(const char *path) {
#if defined(__linux__)
  int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) return -1;
  if (inotify_add_watch(descriptor, path, IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM) < 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
#else
  (void)path;
  return -1;
#endif
}

#if defined(__linux__)
// Reads /proc/PID/stat and returns a pointer to the parenthesis after the process name, which field 3 follows, or NULL on failure.
static char *process_fields(int32_t pid, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return NULL;
  ssize_t count = read(descriptor, text, size - 1);
  close(descriptor);
  if (count <= 0) return NULL;
  text[count] = 0;
  // The name may contain spaces and parentheses, so it ends at the last parenthesis.
  return strrchr(text, ')');
}
#endif

uint64_t xp_process_start(int32_t pid) {
#if defined(__linux__)
  char text[1024];
  char *field = process_fields(pid, text, sizeof text);
  if (field == NULL) return 0;
  for (int number = 3; number <= 22 && field != NULL; number++) field = strchr(field + 1, ' ');
  return field == NULL ? 0 : strtoull(field + 1, NULL, 10);
#elif defined(__APPLE__)
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
  struct kinfo_proc information;
  size_t size = sizeof information;
  if (sysctl(name, 4, &information, &size, NULL, 0) != 0 || size == 0) return 0;
  struct timeval started = information.kp_proc.p_starttime;
  return (uint64_t)started.tv_sec * 1000000 + (uint64_t)started.tv_usec;
#else
  (void)pid;
  return 0;
#endif
}

bool xp_thread_is_main(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return xp_thread_id() == (uint32_t)getpid();
#endif
}

int xp_process_is_traced(void) {
#if defined(__linux__)
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[2048];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return -1;
  text[length] = 0;
  const char *field = strstr(text, "\nTracerPid:");
  return field == NULL ? -1 : strtol(field + 11, NULL, 10) != 0;
#elif defined(__APPLE__)
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  struct kinfo_proc information;
  size_t size = sizeof information;
  if (sysctl(name, 4, &information, &size, NULL, 0) != 0 || size == 0) return -1;
  return (information.kp_proc.p_flag & P_TRACED) != 0;
#else
  return -1;
#endif
}

bool xp_process_exists(int32_t pid) {
  if (kill(pid, 0) != 0 && errno != EPERM) return false;
#if defined(__linux__)
  char text[1024];
  char *field = process_fields(pid, text, sizeof text);
  // ") Z" means a zombie, ") X" a dead process. Without /proc, zombies cannot be recognised.
  if (field != NULL && strlen(field) > 2 && (field[2] == 'Z' || field[2] == 'X')) return false;
#endif
  return true;
}

int xp_process_open(int32_t pid) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  return (int)syscall(SYS_pidfd_open, pid, 0);
#else
  (void)pid;
  return -1;
#endif
}

int xp_process_signal(int descriptor, int32_t pid, int signal) {
#if defined(__linux__) && defined(SYS_pidfd_send_signal)
  if (descriptor >= 0) return syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) == 0 ? 0 : errno;
#endif
  return kill(pid, signal) == 0 ? 0 : errno;
}

uint64_t xp_process_namespace(void) {
#if defined(__linux__)
  struct stat information;
  return stat("/proc/self/ns/pid", &information) == 0 ? (uint64_t)information.st_ino : 0;
#else
  return 0;
#endif
}

int xp_boot_id(char *text, size_t size) {
  if (size < 37) return ERANGE;
  if (xp_device_boot(text)) return 0;
#if defined(__linux__)
  int descriptor = xp_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  ssize_t count = read(descriptor, text, 36);
  close(descriptor);
  if (count != 36) return EIO;
  text[36] = 0;
  return 0;
#elif defined(__APPLE__)
  if (sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) == 0) return 0;
  // A sandbox may hide the identifier. Without any identifier, all boots would look alike, and a process of an earlier boot could be
  // taken for a running one.
  struct timeval boot;
  size_t boot_size = sizeof boot;
  if (sysctlbyname("kern.boottime", &boot, &boot_size, NULL, 0) != 0) return errno;
  // The system corrects this time together with the wall clock, so only the hour is used. If even the hour changes, other processes take
  // this one for terminated and may seal its segment. It then continues in a new segment.
  snprintf(text, 37, "00000000-0000-0000-0000-%012llx", (unsigned long long)(boot.tv_sec / 3600));
  return 0;
#else
  return ENOSYS;
#endif
}

int xp_executable_path(char *text, size_t size) {
#if defined(__linux__)
  ssize_t count = readlink("/proc/self/exe", text, size - 1);
  if (count < 0) return errno;
  text[count] = 0;
  return 0;
#elif defined(__APPLE__)
  uint32_t room = (uint32_t)size;
  return _NSGetExecutablePath(text, &room) == 0 ? 0 : ERANGE;
#else
  return ENOSYS;
#endif
}

#if defined(__APPLE__)
#if TARGET_OS_OSX || TARGET_OS_MACCATALYST
static const char system_name[] = "macOS";
#elif TARGET_OS_TV
static const char system_name[] = "tvOS";
#elif TARGET_OS_WATCH
static const char system_name[] = "watchOS";
#elif TARGET_OS_VISION
static const char system_name[] = "visionOS";
#else
static const char system_name[] = "iOS";
#endif
#endif

int xp_system_version(const char *path, char *text, size_t size) {
#if defined(__APPLE__)
  (void)path;
  char version[64];
  size_t count = sizeof version;
  if (sysctlbyname("kern.osproductversion", version, &count, NULL, 0) != 0) return errno;
  int length = snprintf(text, size, "%s %s", system_name, version);
  return length > 0 && (size_t)length < size ? 0 : ERANGE;
#else
  FILE *file = fopen(path, "re");
  if (file == NULL) return errno;
  static const char key[] = "PRETTY_NAME=";
  char line[512];
  int problem = ENOENT;
  while (problem == ENOENT && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, key, sizeof key - 1) != 0) continue;
    char *start = line + sizeof key - 1;
    start[strcspn(start, "\n")] = 0;
    size_t length = strlen(start);
    char quote = start[0];
    if ((quote == '"' || quote == '\'') && length >= 2 && start[length - 1] == quote) {
      start[length - 1] = 0;
      start++;
      length -= 2;
    }
    if (length == 0 || length >= size) break;
    memcpy(text, start, length + 1);
    problem = 0;
  }
  fclose(file);
  return problem;
#endif
}

#if defined(__linux__)
enum { listen_flags = SOCK_STREAM | SOCK_CLOEXEC };
#else
enum { listen_flags = SOCK_STREAM };
#endif

static int local_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int xp_local_connect(const char *path) {
  struct sockaddr_un address;
  int problem = local_address(path, &address);
  int descriptor = problem == 0 ? socket(AF_UNIX, listen_flags, 0) : -1;
  if (problem != 0) errno = problem;
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  int result;
  do {
    result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  } while (result < 0 && errno == EINTR);
  if (result == 0) return descriptor;
  problem = errno;
  close(descriptor);
  errno = problem;
  return -1;
}

int xp_local_listen(const char *path) {
  struct sockaddr_un address;
  int problem = local_address(path, &address);
  int descriptor = problem == 0 ? socket(AF_UNIX, listen_flags, 0) : -1;
  if (problem != 0) errno = problem;
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  // Before chmod, other users cannot connect either, because the directory is private to its owner.
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && chmod(path, 0600) == 0 && listen(descriptor, 128) == 0) {
    return descriptor;
  }
  problem = errno;
  close(descriptor);
  errno = problem;
  return -1;
}

int xp_local_accept(int descriptor) {
  int accepted;
  do {
#if defined(__linux__)
    accepted = accept4(descriptor, NULL, NULL, SOCK_CLOEXEC);
#else
    accepted = accept(descriptor, NULL, NULL);
    if (accepted >= 0) fcntl(accepted, F_SETFD, FD_CLOEXEC);
#endif
  } while (accepted < 0 && (errno == EINTR || errno == ECONNABORTED));
  return accepted;
}

bool xp_local_peer(int descriptor, uint32_t *user, int32_t *process) {
#if defined(__linux__)
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return false;
  *user = credentials.uid;
  *process = credentials.pid;
  return true;
#else
  uid_t uid;
  gid_t gid;
  if (getpeereid(descriptor, &uid, &gid) != 0) return false;
  pid_t pid = 0;
  socklen_t size = sizeof pid;
  getsockopt(descriptor, SOL_LOCAL, LOCAL_PEERPID, &pid, &size);
  *user = uid;
  *process = pid;
  return true;
#endif
}

ssize_t xp_send_now(int descriptor, const void *bytes, size_t size) {
#if defined(__linux__)
  return send(descriptor, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return send(descriptor, bytes, size, MSG_DONTWAIT);
#endif
}

bool xp_try_lock_file(int descriptor) {
  int result;
  do {
    result = flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result < 0 && errno == EINTR);
  return result == 0;
}

int xp_spawn(const char *program, char *const arguments[], char *const environment[], bool detached, int32_t *process) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#if defined(__APPLE__)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
  if (detached) flags |= POSIX_SPAWN_SETSID;
#else
  if (detached) flags |= POSIX_SPAWN_SETSID;
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
  posix_spawnattr_setflags(&attributes, flags);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (detached) {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  }
  pid_t pid = 0;
  int result = posix_spawn(&pid, program, &actions, &attributes, arguments, environment);
  *process = pid;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return result;
}
