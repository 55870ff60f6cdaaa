import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// A simulated device whose daemon and apps exist only in a log: several processes with simulated clocks, numbers and pids.
///
/// The same sequence of calls always produces the same bytes.
final class SyntheticDevice {
  private let directory: String
  private let now = Time()
  private static let boot = BootID(high: 0x5EED_0000_0000_4000, low: 0x8000_0000_0000_0001)

  /// The start of the simulation, 2026-11-20T22:00:00Z, in nanoseconds since 1970.
  private static let begin: Int64 = 1_795_212_000_000_000_000
  private static let uptime: Int64 = 3_600_000_000_000

  /// The time since the start of the simulation, in nanoseconds.
  private final class Time: Sendable { let elapsed = Atomic<Int64>(0) }

  init(directory: String) { self.directory = directory }

  /// Sets the time of the following events, relative to the start of the simulation.
  func at(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    now.elapsed.store(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
  }

  /// Returns a process that can be started later.
  func process(_ executable: String, _ role: WriterRole, pid: Int32, _ reason: StartReason) -> Planned {
    Planned(executable: executable, role: role, pid: pid, reason: reason)
  }

  struct Planned {
    let executable: String
    let role: WriterRole
    let pid: Int32
    let reason: StartReason

    /// The launch identifier, known before the start because the launching process records it.
    var launch: LaunchID {
      var numbers = SeededRandom(seed: UInt64(pid))
      let high = numbers.next()
      return LaunchID(high: high, low: numbers.next())
    }
  }

  /// Starts the process and opens its log.
  func start(_ planned: Planned) throws -> EventLog {
    let now = now
    let numbers = Mutex(SeededRandom(seed: UInt64(planned.pid)))
    let configuration = LogConfiguration(
      role: planned.role, privacy: PrivacyPolicy(key: (0x5EED, 0x5EED)),
      // Use a separate pid namespace, so that the next writer does not look for these processes on this machine.
      process: ProcessIdentity(
        pid: planned.pid, start: 1, namespace: UInt64(planned.pid), boot: Self.boot, executable: planned.executable),
      startReason: planned.reason,
      clock: LogClock(
        monotonic: { Self.uptime + now.elapsed.load(ordering: .relaxed) },
        boottime: { Self.uptime + now.elapsed.load(ordering: .relaxed) },
        wall: { Self.begin + now.elapsed.load(ordering: .relaxed) }),
      random: { numbers.withLock { $0.next() } }, isSynthetic: true)
    return try EventLog(directory: directory, configuration: configuration)
  }
}
