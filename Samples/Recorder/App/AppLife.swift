import XferEngine
import XferEvents
import XferLogStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One process of the app: its log, its main thread and its requests to the server.
final class AppLife {
  let sink: WatchedLog
  private let log: EventLog
  private let clock = MovedClock()
  private let main = MainThread()
  private let server: String
  private let directory: String

  /// - Parameters:
  ///   - server: The base URL of the scripted server.
  ///   - log: The log's directory. If an earlier process was killed, opening the log records this.
  ///   - directory: The directory for files, which is the same in all processes of a sample.
  init(server: String, log: String, directory: String) throws {
    self.server = server
    self.directory = directory
    // Use a key that is deleted after the recording, so that hashes match only within this sample.
    let key = try MaskKey.load(stateDirectory: directory + "/state")
    let configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: key), startReason: .user, clock: clock.ofLog)
    self.log = try EventLog(directory: log, configuration: configuration)
    sink = WatchedLog(self.log)
  }

  /// Opens a session, runs the work, and invalidates the session. Returns after the session has been released.
  ///
  /// - Parameter configure: Changes the samples' default configuration.
  func session(
    _ name: String, configure: (inout TransferSession.Configuration) -> Void = { _ in }, _ work: (AppSession) throws -> Void
  ) throws {
    try carryOut(work, in: name, configure)
    try sink.waitForRelease()
  }

  private func carryOut(
    _ work: (AppSession) throws -> Void, in name: String, _ configure: (inout TransferSession.Configuration) -> Void
  ) throws {
    var configuration = TransferSession.Configuration.default
    configuration.name = name
    configuration.temporaryDirectory = directory
    // A recording must not use responses cached by an earlier one.
    configuration.urlCache = nil
    // A hanging recording must fail soon.
    configuration.timeoutIntervalForRequest = .seconds(20)
    configure(&configuration)
    let delegate = AppDelegate(sink: sink, log: log, directory: directory)
    let session = AppSession(configuration, delegate, main: main, sink: sink, clock: clock, server: server)
    try work(session)
    session.close()
  }

  /// Moves the clock of this process forward and logs this, so that a recording of minutes takes no time.
  func pass(_ time: Duration) {
    clock.advance(by: time)
    let said = EventLogger(subsystem: "sample", category: "clock", log: log)
    said.notice("the clock was moved forward manually by \(time.components.seconds) s")
  }

  func end() { log.close() }
}
