public import Foundation
public import XferEvents
import XferRecorder

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The part of a map app that downloads tiles and stores them in a directory.
///
/// It contains a mistake, which a test can turn on: the callback of a completed task waits for a lock that is never released.
public final class TileStore: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let recorder: SessionRecorder
  private let configuration: URLSessionConfiguration
  private let directory: URL
  private let lock = NSLock()
  private var received: [Int: Data] = [:]
  private var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
  /// Whether the store has the mistake.
  private let forgetsToUnlock: Bool
  /// The lock of the directory with the tiles.
  private let directoryLock = NSLock()

  public init(
    directory: URL, events: any EventSink, configuration: URLSessionConfiguration = .default, forgetsToUnlock: Bool = false
  ) {
    recorder = SessionRecorder(sink: events)
    (self.directory, self.configuration, self.forgetsToUnlock) = (directory, configuration, forgetsToUnlock)
    super.init()
  }

  /// Downloads a tile. Returns when its last byte has arrived.
  public func tile(at url: URL) async throws -> Data {
    let session = recorder.session(configuration: configuration, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    prepareDirectory()
    return try await withCheckedThrowingContinuation { continuation in
      let task = session.dataTask(with: url)
      lock.withLock { waiting[task.taskIdentifier] = continuation }
      session.resume(task)
    }
  }

  private func prepareDirectory() {
    directoryLock.lock()
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    if !forgetsToUnlock { directoryLock.unlock() }
  }

  // MARK: Callbacks

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let tile = lock.withLock {
      received[dataTask.taskIdentifier, default: Data()] += data
      return received[dataTask.taskIdentifier]
    }
    let expected = dataTask.response?.expectedContentLength ?? -1
    if let tile, tile.count == expected { finish(dataTask.taskIdentifier, .success(tile)) }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { return finish(task.taskIdentifier, .failure(error)) }
    let tile = lock.withLock { received.removeValue(forKey: task.taskIdentifier) }
    directoryLock.withLock {
      guard let tile, let name = task.originalRequest?.url?.lastPathComponent else { return }
      try? tile.write(to: directory.appendingPathComponent(name))
    }
    if let tile { finish(task.taskIdentifier, .success(tile)) }
  }

  private func finish(_ task: Int, _ result: Result<Data, any Error>) {
    lock.withLock { waiting.removeValue(forKey: task) }?.resume(with: result)
  }
}
