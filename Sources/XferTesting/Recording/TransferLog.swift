import CXferPlatform
import XferEvents
public import XferLogStore

/// The log of one test.
///
/// With the trait `.recordingTransfers`, `TransferLog.current` is the log of the test that runs. Tests that run in parallel have logs of
/// their own.
///
/// ```swift
/// @Test(.recordingTransfers) func aTileArrives() async throws {
///   let session = TransferSession(sink: try #require(TransferLog.current).events)
///   …
/// }
/// ```
///
/// A task that the test starts with `Task.detached`, and a thread or a queue, do not inherit `current`. Pass them the log.
public final class TransferLog: Sendable {
  /// The log of the test that runs. `nil` outside of a test with the trait, and in tests of XCTest.
  @TaskLocal public static var current: TransferLog?

  /// The log that the code under test writes to: the sink of a `TransferSession`, of a `SessionRecorder`, of an `EventLogger` or of an
  /// `XferLogHandler`.
  public let events: EventLog

  /// The path of the log, a `.xlog` directory. A program that the test starts writes to the same log if its environment variable
  /// `XFERLOG_DIR` is this path.
  public var path: String { events.directory }

  /// - Parameter path: the path of a log that does not exist yet.
  init(at path: String, level: Level) throws(LogError) {
    var configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: Self.key), lowestLevel: level)
    // A log of one test is small. A background thread would be slower than the test.
    (configuration.maintains, configuration.retention) = (false, .everything)
    events = try EventLog(directory: path, configuration: configuration)
  }

  /// The key of this user, so that the hashes in the logs of programs that the test starts can be compared. Without a home directory,
  /// a random key.
  private static let key: (UInt64, UInt64) = {
    let names = ["HOME", "XDG_STATE_HOME"]
    let values = names.compactMap { name in xp_variable(name).map { (name, String(cString: $0)) } }
    let directory = LogDirectory.stateDirectory(environment: Dictionary(uniqueKeysWithValues: values))
    return (try? MaskKey.load(stateDirectory: directory, remade: { _ in })) ?? (
      .random(in: .min ... .max), .random(in: .min ... .max)
    )
  }()

  /// Completes the log. Later events are lost.
  func close() {
    events.recordDeadWriters()
    events.close()
  }
}
