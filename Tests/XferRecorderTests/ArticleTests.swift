import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The example of the article RecordingURLSession.md. The text must be identical.

final class TileLoader: NSObject, URLSessionDownloadDelegate {
  let recorder: SessionRecorder
  let places: URL

  init(log: any EventSink, places: URL) {
    recorder = SessionRecorder(sink: log)
    self.places = places
  }

  func load(_ url: URL) -> RecordedSession {
    let session = recorder.session(configuration: .default, delegate: self, delegateQueue: nil)
    recorder.app.declare("tile-1", durable: true)
    let task = session.downloadTask(with: url)
    recorder.app.bind("tile-1", to: task, by: "uid")
    session.resume(task)
    session.finishTasksAndInvalidate()
    return session
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    guard let response = downloadTask.response as? HTTPURLResponse, response.statusCode < 400 else { return }
    let place = places.appendingPathComponent("tile-1")
    try? FileManager.default.removeItem(at: place)
    try? recorder.app.move(location, to: place, of: downloadTask)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    recorder.app.record(error == nil && status < 400 ? .success : .failure, of: task, intent: "tile-1")
  }
}

struct ArticleTests {
  @Test func `The article's example works as described`() async throws {
    let log = try await Bench.run([.init("/tile", .generated(1000))]) { bench in
      // The tile of an earlier run is replaced.
      try Data("old".utf8).write(to: bench.path("tile-1"))
      let loader = TileLoader(log: bench.log, places: bench.path(""))
      _ = loader.load(bench.url("/tile"))
      await bench.log.wait(for: .taskCompleted)
      #expect(FileManager.default.contents(atPath: bench.path("tile-1").path)?.count == 1000)
      await bench.log.wait(for: .sessionInvalidated)
    }
    #expect(try log.first(.appOutcomeRecorded).outcome == .success)
    #expect(try log.findings() == [])
  }

  @Test func `The article contains the tested example`() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/xferlog/xferlog.docc/RecordingURLSession.md"), encoding: .utf8)
    let code = try #require(article.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first)
    let example = try #require(code.range(of: "final class").map { String(code[$0.lowerBound...]) })
    #expect(try String(contentsOf: here, encoding: .utf8).contains(example))
  }
}
