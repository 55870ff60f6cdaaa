import CXferPlatform
public import XferEvents

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// Where a writer takes the time from; tests pass their own.
public struct LogClock: Sendable {
  /// Nanoseconds of the clock that stops while the machine sleeps.
  public let monotonic: @Sendable () -> Int64
  /// Nanoseconds since boot, sleep included.
  public let boottime: @Sendable () -> Int64
  /// Nanoseconds since 1970.
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

/// What tells this process from every other, also after its number is given out again.
public struct ProcessIdentity: Equatable, Sendable {
  public var pid: Int32
  /// When it was started, by the kernel's count; 0 when unknown.
  public var start: UInt64
  /// The pid namespace that the number is valid in.
  public var namespace: UInt64
  public var boot: BootID
  /// The program's file name.
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
      executable: path.split(separator: "/").last.map(String.init) ?? "")
  }

  private static func text(capacity: Int, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      read(buffer.baseAddress!, capacity) == 0 ? String(cString: buffer.baseAddress!) : nil
    }
  }

  /// How the process of this identity fares, as far as this one can see.
  enum Fate: Equatable {
    case running
    /// No longer there.
    case gone
    /// The machine was restarted since.
    case rebooted
    /// It belongs to another pid namespace, where its number means something else.
    case unknowable
  }

  func fate(seenFrom observer: ProcessIdentity) -> Fate {
    if boot != observer.boot { return .rebooted }
    if namespace != observer.namespace { return .unknowable }
    guard xp_process_exists(pid) else { return .gone }
    let present = xp_process_start(pid)
    return start != 0 && present != 0 && present != start ? .gone : .running
  }

  /// Whether it is certain that it runs no more.
  func isOver(seenFrom observer: ProcessIdentity) -> Bool {
    switch fate(seenFrom: observer) {
    case .gone, .rebooted: true
    case .running, .unknowable: false
    }
  }
}

/// Writes all bytes at a place of a file, however often the system is interrupted.
///
/// - Returns: errno when the system refused.
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
  /// When a file was last written to.
  package init(modified status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // A file may say any year.
    let (nanoseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    self.init(nanoseconds: overflow ? (time.tv_sec < 0 ? .min : .max) : nanoseconds.addingClamped(Int64(time.tv_nsec)))
  }
}
