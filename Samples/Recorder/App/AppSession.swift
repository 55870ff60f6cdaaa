import HTTPTypes
import XferEngine
import XferEvents

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session of the app, with a delegate that contains the app's defects.
final class AppSession {
  private let session: TransferSession
  private let delegate: AppDelegate
  private let main: MainThread
  private let sink: WatchedLog
  private let server: String

  init(
    _ configuration: TransferSession.Configuration, _ delegate: AppDelegate, main: MainThread, sink: WatchedLog,
    clock: MovedClock,
    server: String
  ) {
    self.delegate = delegate
    session = TransferSession(
      configuration: configuration, delegate: delegate, delegateExecutor: main, sink: sink, clock: clock)
    self.main = main
    self.sink = sink
    self.server = server
  }

  // MARK: Starting transfers

  /// Runs all requested transfers at once, and returns after the app has received the completion of each.
  ///
  /// The tasks are created in the given order, and resumed in the same order unless `lastFirst` is true.
  func fetch(_ wishes: [Wish], lastFirst: Bool = false) throws {
    let done = sink.acknowledged + wishes.count
    let tasks = try wishes.map { try task(for: $0) }
    for task in lastFirst ? tasks.reversed() : tasks { task.resume() }
    main.run { sink.acknowledged >= done }
  }

  /// Starts the requested transfers and returns immediately.
  ///
  /// - Parameter whole: The parent progress of the tasks.
  @discardableResult
  func begin(_ wishes: [Wish], partOf whole: TransferProgress? = nil) throws -> [TransferTask] {
    let tasks = try wishes.map { try task(for: $0, partOf: whole) }
    for task in tasks { task.resume() }
    return tasks
  }

  /// Runs data tasks with completion handlers, and returns after all handlers were called.
  func fetchWithHandlers(_ wishes: [Wish]) throws {
    let done = sink.count(.appOutcomeRecorded) + wishes.count
    let tasks = try wishes.map { wish in
      try bound(wish) {
        try session.dataTask(with: HTTPRequest(url: url(of: wish))) { [delegate] data, response, error in
          delegate.conclude(wish, error: error, status: response?.statusCode ?? 0, received: Int64(data?.count ?? 0))
        }
      }
    }
    for task in tasks { task.resume() }
    main.run { sink.count(.appOutcomeRecorded) >= done }
  }

  private func task(for wish: Wish, partOf whole: TransferProgress? = nil) throws -> TransferTask {
    var options = TransferSession.TaskOptions()
    options.parentProgress = whole
    return try bound(wish) {
      if let resumeData = wish.resumeData { return try session.downloadTask(withResumeData: resumeData, options: options) }
      return switch wish.type {
      case .data: try session.dataTask(with: url(of: wish), options: options)
      case .download: try session.downloadTask(with: url(of: wish), options: options)
      case .upload(let size):
        try session.uploadTask(
          with: HTTPRequest(method: .post, url: url(of: wish)), from: Data(repeating: 0x78, count: size), options: options)
      }
    }
  }

  /// Records the app's intent and binds the created task to it.
  private func bound<Task: TransferTask>(_ wish: Wish, _ make: () throws -> Task) throws -> Task {
    sink.emit(AppIntentDeclared(intent: wish.key, durable: true))
    let task = try make()
    delegate.note(wish, for: task)
    sink.emit(AppIntentBound(intent: wish.key, task: task.identity, key: "uid"))
    return task
  }

  private func url(of wish: Wish) -> URL {
    guard let url = URL(string: server + wish.path) else { preconditionFailure("the sample's path is not a valid URL path") }
    return url
  }

  // MARK: Waiting and cancelling

  /// Runs callbacks until this process has recorded the given number of events of a kind.
  func wait(for kind: EventKind, _ count: Int) throws {
    sink.listen { [main] in main.execute {} }
    defer { sink.listen(nil) }
    if main.run(within: 20, until: { sink.count(kind) >= count }) { return }
    throw RecordingError(
      "\(sink.count(kind)) of \(count) \(kind.name) events were recorded before the timeout",
      advice: "Read the log to see what is waiting.")
  }

  /// Returns the number of tasks reported by the session.
  func countTasks() -> Int {
    let answer = Answer<Int>()
    session.getAllTasks { answer.give($0.count) }
    main.run { answer.value != nil }
    return answer.value ?? 0
  }

  /// The moment at which the app reads the resume data that it has requested.
  enum Look { case immediately, afterHandler }

  /// Cancels a download to resume it later, and returns after it has completed.
  ///
  /// - Returns: The resume data, as read by the app.
  func cancelForLater(_ download: DownloadTask, looking: Look) -> Data? {
    let done = sink.acknowledged + 1
    let answer = Answer<Data?>()
    delegate.markUnfinished(of: download)
    download.cancel(byProducingResumeData: { answer.give($0) })
    // The handler is called on this thread, which is busy here, so the value is still missing.
    let early = answer.value ?? nil
    main.run { sink.acknowledged >= done }
    return looking == .immediately ? early : answer.value ?? nil
  }

  /// Cancels all running tasks.
  func cancelAll() { session.invalidateAndCancel() }

  func close() {
    session.finishTasksAndInvalidate()
    main.run { delegate.isInvalid }
  }
}
