import XferEvents
import XferLogStore

/// The log written by an `xfer` command: the standard log, in which the user's own URLs and paths, and error texts, are stored unmasked.
struct CommandLog {
  static let version = LogConfiguration.libraryVersion

  /// The sink that receives the events. Events are discarded when the log cannot be opened.
  let sink: any EventSink
  private let log: EventLog?

  /// Opens the log. A failure is reported on standard error, and the transfers continue without a log.
  ///
  /// - Parameters:
  ///   - directory: The log's directory. `nil` means the standard directory.
  ///   - isPrivate: Whether paths, destinations and error texts are masked like other private values.
  ///   - capture: How private values are stored.
  init(directory: String?, isPrivate: Bool, capture: CaptureMode, environment: [String: String]) {
    do throws(LogError) {
      let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
      // The user runs this command, so the log may show the user what is transferred and where it is stored.
      let policy = PrivacyPolicy(
        mode: capture, declaredPublic: isPrivate ? [] : [.path, .destination, .message], key: key)
      var configuration = LogConfiguration(role: .app, privacy: policy, startReason: .command)
      configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
      let log = try EventLog(
        directory: directory ?? LogDirectory.standard(environment: environment), configuration: configuration)
      self.log = log
      sink = WitnessedSink(log, environment: environment) ?? log
    } catch {
      Remarks.say("continuing without a log: \(error)")
      (log, sink) = (nil, NullSink())
    }
  }

  var directory: String? { log?.directory }

  /// Records the process's exit code and closes the log. Events that are missing in it are reported on standard error.
  func close(code: Int32) {
    guard let log else { return }
    log.close(exitCode: Int(code))
    if let loss = log.loss {
      Remarks.say("\(loss.count) \(loss.count == 1 ? "event is" : "events are") missing in the log. \(loss.reason)")
    }
  }
}
