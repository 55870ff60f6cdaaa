import XferEngine
import XferEvents
import XferLogStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One life of the app: its log, its main thread and what it asks of the server.
final class AppLife {
  let sink: WatchedLog
  private let log: EventLog
  private let clock = MovedClock()
  private let main = MainThread()
  private let server: String
  private let directory: String

  /// - Parameters:
  ///   - server: the scripted server's address, without a path.
  ///   - log: the log's directory; a life before this one that was killed is noted there.
  ///   - directory: for files; the same in all lives of a sample.
  init(server: String, log: String, directory: String) throws {
    self.server = server
    self.directory = directory
    // A key that ends with the recording: the hashes join its lives and nothing else.
    let key = try MaskKey.load(stateDirectory: directory + "/state")
    let configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: key), startReason: .user, clock: clock.ofLog)
    self.log = try EventLog(directory: log, configuration: configuration)
    sink = WatchedLog(self.log)
  }

  /// Opens a session, closes it when the work is done, and returns when it is gone.
  ///
  /// - Parameter configure: what it has otherwise than the samples' sessions have.
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
    // A recording takes nothing from an earlier one.
    configuration.urlCache = nil
    // A recording that hangs is to end as a failure, and soon.
    configuration.timeoutIntervalForRequest = .seconds(20)
    configure(&configuration)
    let delegate = AppDelegate(sink: sink, log: log, directory: directory)
    let session = AppSession(configuration, delegate, main: main, sink: sink, clock: clock, server: server)
    try work(session)
    session.close()
  }

  /// Sets the clock of this life forward, and says so: what takes minutes needs none.
  func pass(_ time: Duration) {
    clock.advance(by: time)
    let said = EventLogger(subsystem: "sample", category: "clock", log: log)
    said.notice("the clock was set forward by \(time.components.seconds) s, by hand")
  }

  func end() { log.close() }
}
