import XferEvents
import XferLogStore

/// The log that a command writes: the standard one, with what its user typed in the clear.
struct CommandLog {
  static let version = LogConfiguration.libraryVersion

  /// Where the events go; nowhere when the log cannot be written.
  let sink: any EventSink
  private let log: EventLog?

  /// Opens the log. One that cannot be written is said and otherwise does not matter: the transfers are what was asked for.
  ///
  /// - Parameters:
  ///   - directory: `nil` for the standard one.
  ///   - isPrivate: whether paths and destinations are treated like everything private.
  ///   - capture: what is kept of private values.
  init(directory: String?, isPrivate: Bool, capture: CaptureMode, environment: [String: String]) {
    do throws(LogError) {
      let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
      // It is the user's own command, so what it fetches and where to are the user's to read.
      let policy = PrivacyPolicy(
        mode: capture, declaredPublic: isPrivate ? [] : [.path, .destination], key: key)
      var configuration = LogConfiguration(role: .app, privacy: policy, startReason: .command)
      configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
      let log = try EventLog(
        directory: directory ?? LogDirectory.standard(environment: environment), configuration: configuration)
      self.log = log
      sink = WitnessedSink(log, environment: environment) ?? log
    } catch {
      Remarks.say("without a log: \(error)")
      (log, sink) = (nil, NullSink())
    }
  }

  var directory: String? { log?.directory }

  /// Says how the process ends, and closes the log.
  func close(code: Int32) { log?.close(exitCode: Int(code)) }
}
