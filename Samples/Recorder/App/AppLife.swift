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
    let configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: key), startReason: .user)
    self.log = try EventLog(directory: log, configuration: configuration)
    sink = WatchedLog(self.log)
  }

  /// Opens a session, closes it when the work is done, and returns when it is gone.
  func session(_ name: String, _ work: (AppSession) throws -> Void) throws {
    try carryOut(work, in: name)
    try sink.waitForRelease()
  }

  private func carryOut(_ work: (AppSession) throws -> Void, in name: String) throws {
    var configuration = TransferSession.Configuration.default
    configuration.name = name
    configuration.temporaryDirectory = directory
    // A recording takes nothing from an earlier one.
    configuration.urlCache = nil
    // A recording that hangs is to end as a failure, and soon.
    configuration.timeoutIntervalForRequest = .seconds(20)
    let session = AppSession(configuration, main: main, sink: sink, server: server, directory: directory)
    try work(session)
    session.close()
  }

  func end() { log.close() }
}

/// A session of the app, with the delegate that has its defects.
final class AppSession {
  private let session: TransferSession
  private let delegate: AppDelegate
  private let main: MainThread
  private let sink: WatchedLog
  private let server: String

  init(
    _ configuration: TransferSession.Configuration, main: MainThread, sink: WatchedLog, server: String, directory: String
  ) {
    delegate = AppDelegate(sink: sink, directory: directory)
    session = TransferSession(configuration: configuration, delegate: delegate, delegateExecutor: main, sink: sink)
    self.main = main
    self.sink = sink
    self.server = server
  }

  /// Has all of them carried out at once, and returns when the app has the completion of each.
  ///
  /// Tasks are made in the order given, and resumed in that order unless `lastFirst`.
  func fetch(_ wishes: [Wish], lastFirst: Bool = false) throws {
    let done = sink.acknowledged + wishes.count
    let tasks = try wishes.map(task)
    for task in lastFirst ? tasks.reversed() : tasks { task.resume() }
    main.run { sink.acknowledged >= done }
  }

  private func task(for wish: Wish) throws -> TransferTask {
    guard let url = URL(string: server + wish.path) else { preconditionFailure("the samples' paths are valid") }
    sink.emit(AppIntentDeclared(intent: wish.key, durable: true))
    let task: TransferTask =
      switch wish.type {
      case .data: try session.dataTask(with: url)
      case .download: try session.downloadTask(with: url)
      }
    delegate.note(wish, for: task)
    sink.emit(AppIntentBound(intent: wish.key, task: task.identityInLog, key: "uid"))
    return task
  }

  func close() {
    session.finishTasksAndInvalidate()
    main.run { delegate.isInvalid }
  }
}
