import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// A device whose daemon and apps exist in a log only: several process lives with clocks, numbers and pids of the story.
///
/// The same story gives the same bytes each time.
final class SyntheticDevice {
  private let directory: String
  private let now = Time()
  private static let boot = BootID(high: 0x5EED_0000_0000_4000, low: 0x8000_0000_0000_0001)

  /// 2026-11-20T22:00:00Z, when the story begins.
  private static let begin: Int64 = 1_795_212_000_000_000_000
  private static let uptime: Int64 = 3_600_000_000_000

  /// Nanoseconds since the story began.
  private final class Time: Sendable { let elapsed = Atomic<Int64>(0) }

  init(directory: String) { self.directory = directory }

  /// Says when what follows happens: from the beginning of the story.
  func at(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    now.elapsed.store(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
  }

  /// A process that is to be started.
  func process(_ executable: String, _ role: WriterRole, pid: Int32, _ reason: StartReason) -> Planned {
    Planned(executable: executable, role: role, pid: pid, reason: reason)
  }

  struct Planned {
    let executable: String
    let role: WriterRole
    let pid: Int32
    let reason: StartReason

    /// Known before it runs: who launches it says which life it launches.
    var launch: LaunchID {
      var numbers = SeededRandom(seed: UInt64(pid))
      let high = numbers.next()
      return LaunchID(high: high, low: numbers.next())
    }
  }

  /// Starts the process, which opens the log.
  func start(_ planned: Planned) throws -> EventLog {
    let now = now
    let numbers = Mutex(SeededRandom(seed: UInt64(planned.pid)))
    let configuration = LogConfiguration(
      role: planned.role, privacy: PrivacyPolicy(key: (0x5EED, 0x5EED)),
      // A pid namespace each: whoever opens the log next must not ask this machine whether these processes live.
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
