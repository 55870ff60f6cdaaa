import CXferPlatform
public import XferEvents

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// The clocks that a writer reads. Tests supply their own.
public struct LogClock: Sendable {
  /// The time in nanoseconds from a clock that stops while the machine sleeps.
  public let monotonic: @Sendable () -> Int64
  /// The time since boot in nanoseconds, including sleep.
  public let boottime: @Sendable () -> Int64
  /// The wall-clock time in nanoseconds since 1970.
  public let wall: @Sendable () -> Int64

  public init(
    monotonic: @escaping @Sendable () -> Int64, boottime: @escaping @Sendable () -> Int64,
    wall: @escaping @Sendable () -> Int64
  ) {
    self.monotonic = monotonic
    self.boottime = boottime
    self.wall = wall
  }

  public static let system = LogClock(
    monotonic: { xp_clock_monotonic_counted() }, boottime: { xp_clock_boottime() }, wall: { xp_clock_wall() })

  func read() -> ClockReading { ClockReading(monotonic: monotonic(), boottime: boottime(), wall: wall()) }
}

/// Identifies one process, even after the system has reused its process ID.
public struct ProcessIdentity: Equatable, Sendable {
  public var pid: Int32
  /// The start time of the process: in clock ticks since boot, or on Apple systems in microseconds since 1970. 0 means
  /// unknown.
  public var start: UInt64
  /// The PID namespace in which `pid` is valid.
  public var namespace: UInt64
  public var boot: BootID
  /// The file name of the program.
  public var executable: String

  public init(pid: Int32, start: UInt64, namespace: UInt64, boot: BootID, executable: String) {
    self.pid = pid
    self.start = start
    self.namespace = namespace
    self.boot = boot
    self.executable = executable
  }

  public static func current() -> ProcessIdentity {
    let pid = getpid()
    let boot = text(capacity: 64) { xp_boot_id($0, $1) }.flatMap { BootID($0) } ?? BootID(high: 0, low: 0)
    let path = text(capacity: 4096) { xp_executable_path($0, $1) } ?? ""
    return ProcessIdentity(
      pid: pid, start: xp_process_start(pid), namespace: xp_process_namespace(), boot: boot,
      executable: path.fileName ?? "")
  }

  private static func text(capacity: Int, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      read(buffer.baseAddress!, capacity) == 0 ? String(cString: buffer.baseAddress!) : nil
    }
  }

  /// What another process can determine about whether this process still runs.
  enum Fate: Equatable {
    case running
    /// The process has terminated.
    case terminated
    /// The machine has rebooted since the process ran.
    case rebooted
    /// The process belongs to another PID namespace, so its PID cannot be looked up.
    case unknowable
  }

  func fate(seenFrom observer: ProcessIdentity) -> Fate {
    if boot != observer.boot { return .rebooted }
    if namespace != observer.namespace { return .unknowable }
    guard xp_process_exists(pid) else { return .terminated }
    let present = xp_process_start(pid)
    return start != 0 && present != 0 && present != start ? .terminated : .running
  }

  /// Returns whether the process has certainly terminated.
  func hasTerminated(seenFrom observer: ProcessIdentity) -> Bool {
    switch fate(seenFrom: observer) {
    case .terminated, .rebooted: true
    case .running, .unknowable: false
    }
  }
}

extension LogConfiguration {
  /// The name and version of the operating system, such as `Debian GNU/Linux 12 (bookworm)` or `iOS 18.1`; `nil` if unknown.
  public static let systemVersion = systemVersion(at: "/etc/os-release") ?? systemVersion(at: "/usr/lib/os-release")

  /// - Parameter path: a file in the form of os-release(5). Not read on Apple systems.
  package static func systemVersion(at path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, xp_system_version(path, base, buffer.count) == 0 else { return nil }
      return String(cString: base)
    }
  }
}

/// Writes all bytes at a file offset, retrying after interrupted system calls.
///
/// - Returns: The errno value on failure; otherwise `nil`.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int32? {
  var done = 0
  while done < bytes.count {
    let written = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
    if written < 0 {
      if errno == EINTR { continue }
      return errno
    }
    if written == 0 { return ENOSPC }
    done += written
  }
  return nil
}

extension WallTime {
  /// Creates the time at which a file was last modified. A time outside the range of `WallTime` is clamped.
  package init(modified status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // A damaged or hostile file system can report any year, so the multiplication may overflow.
    let (nanoseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    self.init(nanoseconds: overflow ? (time.tv_sec < 0 ? .min : .max) : nanoseconds.addingClamped(Int64(time.tv_nsec)))
  }
}
