// Functions that Swift cannot express: processor instructions, raw clocks, thread-local slots, atomics on mapped memory,
// and variadic or Linux-only system calls.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Returns the CRC-32C (Castagnoli) of `count` bytes, continuing from `crc` (initially 0). Uses the processor's instruction if
// available.
uint32_t xp_crc32c(uint32_t crc, const void *bytes, size_t count);
// Returns the same CRC-32C, computed from tables only. Tests compare the processor's instruction with it.
uint32_t xp_crc32c_software(uint32_t crc, const void *bytes, size_t count);

// Returns the monotonic time in nanoseconds, which does not advance while the machine sleeps (CLOCK_MONOTONIC).
int64_t xp_clock_monotonic(void);
// Returns the monotonic time in nanoseconds from the processor's counter if the kernel trusts the counter. Accurate to some
// tens of nanoseconds, at less than half the cost of xp_clock_monotonic. Never decreases within a thread.
int64_t xp_clock_monotonic_counted(void);
// A clock that is extrapolated from the ticks of a counter between two readings of the system's clock. Zero before its first
// reading. Its times never decrease, as long as the counter and the system's clock do not.
struct xp_counted_clock {
  uint64_t tick; // The counter at the last reading. 0 if the reading cannot be extrapolated.
  int64_t time; // The time that the last reading returned, in nanoseconds.
  uint64_t rate; // The number of nanoseconds per 2^32 ticks. 0 until measured.
  uint64_t rate_tick; // The counter when the measurement of the rate began.
  int64_t rate_time; // The time when the measurement of the rate began.
};
// Stores the time at a tick. Returns `false` if the system's clock must be read.
bool xp_counted_clock_extrapolate(const struct xp_counted_clock *clock, uint64_t tick, int64_t *time);
// Returns the time of a reading of the system's clock, which was taken between two readings of the counter.
int64_t xp_counted_clock_read(struct xp_counted_clock *clock, uint64_t before, int64_t time, uint64_t after);
// Returns the time since boot in nanoseconds, which advances while the machine sleeps (CLOCK_BOOTTIME).
int64_t xp_clock_boottime(void);
// Returns the wall-clock time in nanoseconds since 1970 (CLOCK_REALTIME).
int64_t xp_clock_wall(void);

// Returns by how many nanoseconds all clocks above are ahead of the machine's. A simulated device sets this offset in a file that
// its processes share. When a process starts, it follows the file that the environment variable XFERD_CLOCK names. After
// xp_clock_follow, it follows the file that was passed to that function instead.
int64_t xp_clock_ahead(void);
// Returns the machine's monotonic time in nanoseconds, without the offset of xp_clock_ahead.
int64_t xp_clock_monotonic_machine(void);
// Uses the clock offset in a file from now on. `may_move` creates a missing file and allows xp_clock_move. Returns 0 or an
// errno.
int xp_clock_follow(const char *path, bool may_move);
// Sets the clock offset, in nanoseconds, for all processes that follow the file.
void xp_clock_move(int64_t ahead);
// Stores the identifier of the simulated boot in `text`. Returns `false` if no boot is simulated.
bool xp_device_boot(char text[37]);
// Starts a new simulated boot for the processes that follow the file later. No process of the device may be running. Returns 0
// or an errno.
int xp_device_restart(const char *path);

// Returns the kernel's identifier of the calling thread. Cached per thread.
uint32_t xp_thread_id(void);

// Access to one pointer per thread and owner. Owners are numbered from 1, and numbers are never reused. When a thread ends,
// `ended` is called with each of its pointers.
void *xp_slot_get(uint64_t owner);
void xp_slot_set(uint64_t owner, void *pointer, void (*ended)(void *));

// Atomic operations on mapped memory that processes share. Addresses must be aligned to the operand's size.
static inline uint8_t xp_load_relaxed_8(const void *address) { return __atomic_load_n((const uint8_t *)address, __ATOMIC_RELAXED); }
static inline void xp_store_relaxed_8(void *address, uint8_t value) { __atomic_store_n((uint8_t *)address, value, __ATOMIC_RELAXED); }
static inline uint32_t xp_load_acquire_32(const void *address) { return __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE); }
static inline void xp_store_release_32(void *address, uint32_t value) { __atomic_store_n((uint32_t *)address, value, __ATOMIC_RELEASE); }
static inline uint64_t xp_load_acquire_64(const void *address) { return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE); }
static inline void xp_store_release_64(void *address, uint64_t value) { __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE); }
static inline uint32_t xp_fetch_or_32(void *address, uint32_t value) { return __atomic_fetch_or((uint32_t *)address, value, __ATOMIC_ACQ_REL); }
// Prevents later stores from becoming visible before earlier ones.
static inline void xp_fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
// Stores `desired` and returns true if the value equals `*expected`. Otherwise writes the value to `*expected`.
static inline bool xp_compare_exchange_32(void *address, uint32_t *expected, uint32_t desired) {
  return __atomic_compare_exchange_n((uint32_t *)address, expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// Compares 64 bytes with two values. Bit n of `firsts` and `seconds` tells whether byte n equals `first` or `second`.
static inline void xp_compare_64(const void *bytes, uint8_t first, uint8_t second, uint64_t *firsts, uint64_t *seconds) {
  uint64_t one = 0, two = 0;
#if defined(__SSE2__)
  typedef char vector __attribute__((vector_size(16)));
  const vector wanted = (vector){0} + (char)first, other = (vector){0} + (char)second;
  for (int part = 0; part < 4; part++) {
    vector text;
    __builtin_memcpy(&text, (const char *)bytes + 16 * part, 16);
    one |= (uint64_t)(uint16_t)__builtin_ia32_pmovmskb128((vector)(text == wanted)) << (16 * part);
    two |= (uint64_t)(uint16_t)__builtin_ia32_pmovmskb128((vector)(text == other)) << (16 * part);
  }
#else
  // Eight bytes at a time: a byte of `difference` is 0 where the bytes are equal. The product gathers the highest bits of all bytes.
  const uint64_t low = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101, gather = 0x0002040810204081;
  for (int part = 0; part < 8; part++) {
    uint64_t text;
    __builtin_memcpy(&text, (const char *)bytes + 8 * part, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    uint64_t difference = text ^ (ones * first);
    uint64_t equal = ~(((difference & low) + low) | difference) & ~low;
    one |= ((equal >> 7) * (gather << 7) >> 56) << (8 * part);
    difference = text ^ (ones * second);
    equal = ~(((difference & low) + low) | difference) & ~low;
    two |= ((equal >> 7) * (gather << 7) >> 56) << (8 * part);
  }
#endif
  *firsts = one;
  *seconds = two;
}

// The values that vary between lines with one layout.
enum { XP_LAYOUT_NONE, XP_LAYOUT_STRING, XP_LAYOUT_DIGITS };
// A text of at most 32 bytes that lines with one layout have in common, and the kind of value that follows it. Only the bits of `mask`
// are compared.
struct xp_layout_part {
  uint64_t text[4];
  uint64_t mask[4];
  uint32_t count; // The number of bytes of the text.
  uint32_t value;
};
// The place of a value in a line.
struct xp_layout_place {
  uint32_t start;
  uint32_t end;
};
// Returns the number of bytes that these parts and their values fill, and stores the places of the values; 0 if the text, of `size` bytes,
// does not begin with the parts. `size` is less than 2^32, and 128 bytes must be readable behind the text. A string with an escaped
// backslash, a newline or a NUL byte does not match. Uses the processor's instructions for 32 bytes if available.
size_t xp_layout_match(
  const struct xp_layout_part *parts, size_t count, const void *text, size_t size, struct xp_layout_place *places);
// Returns the same without these instructions. Tests compare the two.
size_t xp_layout_match_software(
  const struct xp_layout_part *parts, size_t count, const void *text, size_t size, struct xp_layout_place *places);

// Returns whether 31 bytes have the form yyyy-MM-dd HH:mm:ss.SSSSSS+HHmm or the same with a minus sign, where the numbers of two digits
// have values that they can have: 01 to 12, 01 to 31, 00 to 23, 00 to 59, 00 to 60 (a leap second), 00 to 14 and 00 to 59.
static inline bool xp_has_log_time(const void *bytes) {
  typedef unsigned char vector __attribute__((vector_size(16)));
  static const char form[] = "0000-00-00 00:00:00.000000+0000";
  // The smallest and the largest value of the two digits at each place of the first and the last 16 bytes.
  static const vector least[] = {{0, 0, 0, 0, 0, 1, 0, 0, 1}, {0}};
  static const vector most[] = {
    {255, 255, 255, 255, 255, 12, 255, 255, 31, 255, 255, 23, 255, 255, 59, 255},
    {255, 255, 60, 255, 255, 255, 255, 255, 255, 255, 255, 255, 14, 255, 59, 255}};
  vector different = {0};
  for (int half = 0; half < 2; half++) {
    vector text, wanted;
    __builtin_memcpy(&text, (const char *)bytes + 15 * half, 16);
    __builtin_memcpy(&wanted, form + 15 * half, 16);
    const vector values = text - '0';
    const vector digits = (vector)(values < 10);
    different |= ((text & ~digits) | (digits & '0')) ^ wanted;
    const vector next = __builtin_shufflevector(values, values, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
    const vector twice = values + values, pairs = twice + (twice + twice) + (twice + twice) + next;
    different |= (vector)(pairs < least[half]) | (vector)(pairs > most[half]);
  }
  // The sign is the twelfth byte of the second half. Plus and minus differ by 6.
  uint64_t halves[2];
  __builtin_memcpy(halves, &different, 16);
  const char sign = ((const char *)bytes)[26];
  if (sign == '-') halves[1] ^= (uint64_t)('+' ^ '-') << 24;
  return (halves[0] | halves[1]) == 0;
}

// Reserves disk space for the first `size` bytes and extends the file to that size. Returns 0 or an errno.
int xp_reserve(int descriptor, int64_t size);
// Faults in all pages of a writable mapping at once, instead of one by one on the first store. Does nothing if unsupported.
void xp_populate(void *address, size_t size);
// Requests huge pages (2 MiB) for a mapping. Does nothing if unsupported.
void xp_prefer_large_pages(void *address, size_t size);
// Returns the value of an environment variable; NULL if it is not set or empty.
const char *xp_variable(const char *name);
// Returns the maximum file size of this process, in bytes (RLIMIT_FSIZE). A larger write fails and raises SIGXFSZ, which
// terminates the process.
int64_t xp_largest_file(void);
// Returns the maximum number of open descriptors of this process (RLIMIT_NOFILE).
int64_t xp_descriptor_limit(void);
// Raises the limit on open descriptors to the maximum that the system allows.
void xp_raise_descriptor_limit(void);
// Returns whether the file system copies on write, so that writes to reserved space can still fail with ENOSPC.
bool xp_copies_on_write(int descriptor);

// Synchronises to the disk the bytes written to a file or stored through its mapping (NULL for none). Returns 0 or an errno.
int xp_sync(int descriptor, void *mapping, size_t size);
// Like xp_sync, but on Apple systems the drive may still cache the bytes. A power loss then destroys them only together with
// everything that is written later. Costs less than xp_sync there.
int xp_sync_ordered(int descriptor, void *mapping, size_t size);
// Writes the drive's cache to the medium, and with it everything that xp_sync_ordered has written. `path` is any directory on the
// drive. Does nothing except on Apple systems, because elsewhere xp_sync_ordered leaves nothing in the cache. Returns 0 or an errno.
int xp_sync_drive(const char *path);
// Synchronises a file's bytes and its metadata, such as its modification time, to the disk. Returns 0 or an errno.
int xp_sync_file(int descriptor);
// Synchronises the file at a path to the disk. Returns 0 or an errno.
int xp_sync_path(const char *path);
// Synchronises the entries of a directory to the disk. Returns 0 or an errno.
int xp_sync_directory(const char *path);
// Asks the system to start writing a file's bytes to the disk, without waiting. Does nothing if unsupported.
void xp_sync_begin(int descriptor);

// A POSIX mutex with a condition variable. Unlike Swift's Mutex, it causes no false reports from the thread sanitizer.
typedef struct xp_lock xp_lock;
xp_lock *xp_lock_make(void);
void xp_lock_free(xp_lock *lock);
void xp_lock_take(xp_lock *lock);
void xp_lock_give(xp_lock *lock);
// Releases the lock, waits for xp_lock_wake or for a time in nanoseconds (negative: unlimited), and acquires the lock again.
void xp_lock_wait(xp_lock *lock, int64_t nanoseconds);
// Wakes all threads that wait for the lock's condition.
void xp_lock_wake(xp_lock *lock);

// Starts a detached thread with all signals blocked. Returns false if the system cannot create a thread.
bool xp_thread_start(void *(*run)(void *), void *context);

// Returns the number of processors that this process may use, at least 1.
int xp_processor_count(void);

// Returns a page that contains 1 in this process and 0 in a forked child, or NULL if unsupported.
const volatile uint32_t *xp_fork_page(void);
void xp_fork_page_release(const volatile uint32_t *page);

// Opens a file and retries after EINTR. Replaces open, which is variadic. On iOS, O_CREAT makes the file accessible while the
// device is locked, from the first unlock after a boot on (data protection class C). Returns a descriptor, or -1 with errno set.
int xp_open(const char *path, int flags, mode_t mode);
// Opens a new file without a directory entry for writing, in the directory of `path`. The file disappears if the process ends
// before xp_name_file. Returns a descriptor, or -1 with errno set if unsupported.
int xp_open_unnamed(const char *path, mode_t mode);
// Gives a file from xp_open_unnamed its directory entry, which must not exist. Returns 0 or an errno.
int xp_name_file(int descriptor, const char *path);

// Creates a directory, whose files on iOS are accessible from the first unlock after a boot on. Returns 0 or an errno.
int xp_make_directory(const char *path, mode_t mode);
// Returns whether an error means that a file cannot be accessed before the first unlock after a boot. Always false except on iOS.
bool xp_is_locked_out(int error);

// Renames a file atomically unless the new name exists. Returns 0 or an errno: EEXIST if it exists; EINVAL, ENOSYS or ENOTSUP
// if the file system does not support the operation.
int xp_rename_exclusive(const char *from, const char *to);

// Waits for and acquires the exclusive lock of a file or directory. Closing the descriptor releases it. Returns 0 or an errno.
int xp_lock_file(int descriptor);
// Acquires the exclusive lock of a file or directory if no other process holds it. Returns whether the lock was acquired.
bool xp_try_lock_file(int descriptor);

// Connects to a Unix-domain stream socket. Returns a descriptor, or -1 with errno set (ENAMETOOLONG if the path is too long).
int xp_local_connect(const char *path);
// Listens on a new Unix-domain stream socket that only its owner can connect to. The path must not exist. Returns a descriptor,
// or -1 with errno set.
int xp_local_listen(const char *path);
// Accepts a connection to a Unix-domain socket. Returns a descriptor, or -1 with errno set.
int xp_local_accept(int descriptor);
// Gets the user ID and the process ID of a socket's peer from the kernel. Returns false if they are unknown.
bool xp_local_peer(int descriptor, uint32_t *user, int32_t *process);
// Sends as many bytes as fit into the socket's buffer, without blocking or SIGPIPE. Returns the number of bytes, or -1 with
// errno set.
ssize_t xp_send_now(int descriptor, const void *bytes, size_t size);

// Starts a program that inherits only the standard descriptors. Its standard input is empty, and no signal is blocked or ignored.
// A detached program gets its own process session, and its output is discarded. Returns 0 or an errno.
int xp_spawn(const char *program, char *const arguments[], char *const environment[], bool detached, int32_t *process);

// Return the width and height of the terminal behind a descriptor, in characters. Return 0 if the size is unknown or the descriptor
// is not a terminal. (ioctl is variadic.)
int xp_terminal_columns(int descriptor);
int xp_terminal_rows(int descriptor);

// Makes a terminal pass on each key press immediately and without echo. Ctrl-C still interrupts; Ctrl-Z is an ordinary key.
// Returns 0, or -1 with errno set. Supports one terminal at a time. xp_terminal_restore restores the previous mode, if it was
// changed.
int xp_terminal_raw(int descriptor);
void xp_terminal_restore(int descriptor);

// Returns a descriptor that becomes readable when entries of a directory change (inotify), or -1 except on Linux: callers then
// poll.
int xp_watch_directory(const char *path);

// The bits of xp_network_state. KNOWN: the interfaces could be queried. UP: an interface other than loopback is running and has
// an address. CELLULAR: all of these interfaces are cellular modems.
enum { XP_NETWORK_KNOWN = 1, XP_NETWORK_UP = 2, XP_NETWORK_CELLULAR = 4 };
uint32_t xp_network_state(void);
// Returns a descriptor that becomes readable when interfaces or addresses change, or -1 if unsupported.
int xp_watch_interfaces(void);
// Reads and discards all available bytes of a socket, without blocking.
void xp_drain(int descriptor);

// Returns the start time of a process, in clock ticks since boot (on Apple systems in microseconds since 1970), or 0 if
// unknown. With the process ID, it identifies one process of one boot.
uint64_t xp_process_start(int32_t pid);
// Returns whether the calling thread is the main thread of the process.
bool xp_thread_is_main(void);
// Returns whether a debugger or another tracer is attached to this process. 1 means yes, 0 no and -1 unknown.
int xp_process_is_traced(void);
// Returns whether a process with this ID is running. A zombie, which has ended but was not waited for, is not running.
bool xp_process_exists(int32_t pid);
// Returns a close-on-exec descriptor of a process (pidfd), which stays valid when the process ID is reused, or -1 if
// unsupported.
int xp_process_open(int32_t pid);
// Sends a signal to the process of a descriptor, or to the process ID if the descriptor is negative. Returns 0 or an errno.
int xp_process_signal(int descriptor, int32_t pid, int signal);
// Returns the identifier of the PID namespace, or 0 on systems without PID namespaces.
uint64_t xp_process_namespace(void);
// Stores the identifier of the boot in the form 8-4-4-4-12. Where an Apple system does not disclose the identifier, the hour of the boot
// replaces it. Returns 0 or an errno.
int xp_boot_id(char *text, size_t size);
// Stores the path of the running program. Returns 0 or an errno.
int xp_executable_path(char *text, size_t size);
// Stores the name and version of the operating system: PRETTY_NAME of a file such as /etc/os-release, or on Apple systems the version
// that the kernel reports. Returns 0 or an errno.
int xp_system_version(const char *path, char *text, size_t size);
