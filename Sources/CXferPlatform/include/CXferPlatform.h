// What Swift cannot say by itself: processor instructions, raw clocks, thread-local slots, atomics on mapped memory,
// and variadic or Linux-only system calls.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// CRC-32C (Castagnoli) of `count` bytes, continuing from `crc` (0 to begin). Uses the processor's instruction where there is one.
uint32_t xp_crc32c(uint32_t crc, const void *bytes, size_t count);
// The same from tables alone; what the instruction is checked against.
uint32_t xp_crc32c_software(uint32_t crc, const void *bytes, size_t count);

// Nanoseconds: CLOCK_MONOTONIC (stops while the machine sleeps), CLOCK_BOOTTIME (does not), CLOCK_REALTIME.
int64_t xp_clock_monotonic(void);
// The same to some tens of nanoseconds, at less than half the price where the processor has a counter that the kernel
// trusts. It never goes back within a thread.
int64_t xp_clock_monotonic_counted(void);
int64_t xp_clock_boottime(void);
int64_t xp_clock_wall(void);

// A scripted device has its clocks ahead of the machine's: all of the above, by what stands in a file that its processes share. A
// process follows the file that XFERD_CLOCK names when it starts, and the one that it is told later.
int64_t xp_clock_ahead(void);
// Without that.
int64_t xp_clock_monotonic_machine(void);
// Follows a file from now on; `may_move` makes it if it is not there, and lets this process move the clocks. Returns an errno.
int xp_clock_follow(const char *path, bool may_move);
// Moves the clocks of all who follow the file.
void xp_clock_move(int64_t ahead);
// The run of the machine that the device plays; `false` while it plays none.
bool xp_device_boot(char text[37]);
// Has another run of the machine begin for whoever follows the file from now on: none of the device's processes may run. Returns an errno.
int xp_device_restart(const char *path);

// The kernel's number for the calling thread, read once for each thread.
uint32_t xp_thread_id(void);

// One pointer for each thread and owner. Owners are numbered from 1 and never used again. When a thread ends,
// `ended` is called with each pointer it still holds.
void *xp_slot_get(uint64_t owner);
void xp_slot_set(uint64_t owner, void *pointer, void (*ended)(void *));

// Atomics on memory shared by mapping; all addresses are aligned to their size.
static inline uint8_t xp_load_relaxed_8(const void *address) { return __atomic_load_n((const uint8_t *)address, __ATOMIC_RELAXED); }
static inline void xp_store_relaxed_8(void *address, uint8_t value) { __atomic_store_n((uint8_t *)address, value, __ATOMIC_RELAXED); }
static inline uint32_t xp_load_acquire_32(const void *address) { return __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE); }
static inline void xp_store_release_32(void *address, uint32_t value) { __atomic_store_n((uint32_t *)address, value, __ATOMIC_RELEASE); }
static inline uint64_t xp_load_acquire_64(const void *address) { return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE); }
static inline void xp_store_release_64(void *address, uint64_t value) { __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE); }
static inline uint32_t xp_fetch_or_32(void *address, uint32_t value) { return __atomic_fetch_or((uint32_t *)address, value, __ATOMIC_ACQ_REL); }
// What is stored from here on is seen only with what was stored before.
static inline void xp_fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
// Stores `desired` where `*expected` stands; else says in `*expected` what stands there.
static inline bool xp_compare_exchange_32(void *address, uint32_t *expected, uint32_t desired) {
  return __atomic_compare_exchange_n((uint32_t *)address, expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// Reserves room on disk for the first `size` bytes and makes the file that long. 0, or an errno.
int xp_reserve(int descriptor, int64_t size);
// Brings pages of a writable mapping in at once where the system can, instead of one by one as they are stored to.
void xp_populate(void *address, size_t size);
// Asks that the file's pages behind a mapping be brought in by the 2 MiB, where kernel and file system can.
void xp_prefer_large_pages(void *address, size_t size);
// The size that no file of this process may pass (RLIMIT_FSIZE): going there is not only refused but signalled with
// SIGXFSZ, which kills.
int64_t xp_largest_file(void);
// How many descriptors this process may have (RLIMIT_NOFILE).
int64_t xp_descriptor_limit(void);
// Lets this process have as many descriptors as the system allows.
void xp_raise_descriptor_limit(void);
// Whether the file system copies on write, so that reserved room is no promise.
bool xp_copies_on_write(int descriptor);

// Brings to the disk what was written or stored through the mapping (NULL for none). 0, or an errno.
int xp_sync(int descriptor, void *mapping, size_t size);
// The same for a file that is not open.
int xp_sync_path(const char *path);
// The same for the names in a directory.
int xp_sync_directory(const char *path);
// Asks the system to begin writing a file's bytes to the disk, without waiting. Does nothing where the system has no such call.
void xp_sync_begin(int descriptor);

// A POSIX mutex with its condition. The thread sanitizer knows these; of Swift's own lock it reports races that are none.
typedef struct xp_lock xp_lock;
xp_lock *xp_lock_make(void);
void xp_lock_free(xp_lock *lock);
void xp_lock_take(xp_lock *lock);
void xp_lock_give(xp_lock *lock);
// Gives the lock, waits to be woken or for as many nanoseconds (negative: without limit), and takes it again.
void xp_lock_wait(xp_lock *lock, int64_t nanoseconds);
// Wakes all who wait.
void xp_lock_wake(xp_lock *lock);

// Starts a thread that nobody waits for and that takes no signals; false when the system has none to give.
bool xp_thread_start(void *(*run)(void *), void *context);

// Processors that this process may run on, at least 1.
int xp_processor_count(void);

// A page that reads 1 in this process and 0 in a forked child; NULL when the system cannot do that.
const volatile uint32_t *xp_fork_page(void);
void xp_fork_page_release(const volatile uint32_t *page);

// Opens with mode bits (open is variadic).
int xp_open(const char *path, int flags, mode_t mode);
// Opens a file for writing that has no name yet, so that nothing is left of it when the process dies, in the directory where the
// path would be. -1 and errno where that cannot be had.
int xp_open_unnamed(const char *path, mode_t mode);
// Gives such a file its name, which nobody may have. 0, or an errno.
int xp_name_file(int descriptor, const char *path);

// Renames where nothing has the new name, in one step. 0, or an errno: EEXIST when something has it, EINVAL, ENOSYS or ENOTSUP
// when the file system cannot do that.
int xp_rename_exclusive(const char *from, const char *to);

// Waits until no other process holds the lock of this file or directory, and takes it; closing gives it back. 0, or an errno.
int xp_lock_file(int descriptor);
// Takes it only if no other process holds it.
bool xp_try_lock_file(int descriptor);

// Unix-domain stream sockets. -1 and errno when there is none; a path that is too long is ENAMETOOLONG.
int xp_local_connect(const char *path);
// For its owner alone. The path must be free.
int xp_local_listen(const char *path);
int xp_local_accept(int descriptor);
// Who connected, by the kernel's word.
bool xp_local_peer(int descriptor, uint32_t *user, int32_t *process);
// As many bytes as there is room for now, without SIGPIPE. -1 and errno.
ssize_t xp_send_now(int descriptor, const void *bytes, size_t size);

// Starts a program with no descriptor but the standard ones, the first of them empty, and no signal blocked or ignored; a detached
// one has a session of its own and says nothing. 0, or an errno.
int xp_spawn(const char *program, char *const arguments[], char *const environment[], bool detached, int32_t *process);

// Columns of the terminal behind a descriptor (ioctl is variadic); 0 when it is none or does not say.
int xp_terminal_columns(int descriptor);
int xp_terminal_rows(int descriptor);

// Has a terminal pass on each key as it is pressed, unseen; Ctrl-C still interrupts, Ctrl-Z is a key. 0, or -1 and errno. One
// terminal at a time: `xp_terminal_restore` makes it as it was, and does nothing when it is.
int xp_terminal_raw(int descriptor);
void xp_terminal_restore(int descriptor);

// inotify and epoll are Linux's; elsewhere -1, and callers poll.
int xp_watch_directory(const char *path);

// What the network interfaces of this machine say, as bits: whether anything is known; whether one that is not the loopback is up,
// runs and has an address; whether all of those are cellular modems (Linux).
enum { XP_NETWORK_KNOWN = 1, XP_NETWORK_UP = 2, XP_NETWORK_CELLULAR = 4 };
uint32_t xp_network_state(void);
// A descriptor that becomes readable when interfaces or addresses have changed; -1 where the system has none.
int xp_watch_interfaces(void);
// Reads what a descriptor has, without waiting.
void xp_drain(int descriptor);

// What names one process of one boot. Start time in clock ticks since boot (Apple: microseconds since 1970); 0 when unknown.
uint64_t xp_process_start(int32_t pid);
// Whether a process of this number runs; one that has ended and waits for its parent (a zombie) does not.
bool xp_process_exists(int32_t pid);
/// Holds on to a process, so that its number cannot come to mean another; close-on-exec. -1 where that cannot be had.
int xp_process_open(int32_t pid);
/// Sends a signal to the process of a descriptor, or of the number where there is no descriptor. Returns an errno.
int xp_process_signal(int descriptor, int32_t pid, int signal);
// The pid namespace; 0 where there is only one.
uint64_t xp_process_namespace(void);
// The boot's id in 8-4-4-4-12 form. 0, or an errno.
int xp_boot_id(char *text, size_t size);
// The running program's path. 0, or an errno.
int xp_executable_path(char *text, size_t size);
