import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

// The example of the article "Transferring", which a test compares with the article.

final class TileLoader: TransferSessionDelegate {
  let places: String

  init(places: String) { self.places = places }

  func load(_ url: URL, log: any EventSink) throws {
    var configuration = TransferSession.Configuration.default
    configuration.retryPolicy = .init(maximumRetries: 3)
    configuration.waitsForConnectivity = true
    configuration.temporaryDirectory = places
    let session = TransferSession(configuration: configuration, delegate: self, sink: log)
    try session.downloadTask(with: url, options: .init(metadata: ["tile": "tile-1"])).resume()
    session.finishTasksAndInvalidate()
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data) {
    try? resumeData.write(to: URL(fileURLWithPath: "\(places)/resume"))
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    guard let response = downloadTask.response, response.statusCode < 400, let tile = downloadTask.metadata["tile"] else {
      return
    }
    try? location.move(to: "\(places)/\(tile)", replacing: true)
  }
}

struct ArticleTests {
  @Test func `The example of the Transferring article downloads its tile and stores resume data`() async throws {
    try await Bench.run([
      .init(
        "/tile", [ScriptedResponse(status: 503), ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: 2_000_000))])
    ]) { bench in
      let log = RecordingSink()
      try TileLoader(places: bench.path("tmp")).load(#require(URL(string: bench.server.url("/tile"))), log: log)
      await log.wait(for: .sessionInvalidated)
      await log.wait { $0.contains { $0.kind == .taskAcknowledged } }
      #expect(bench.bytes("tmp/tile-1")?.count == 2_000_000)
      let resumeData = try #require(bench.bytes("tmp/resume"))
      #expect(String(decoding: resumeData, as: UTF8.self).hasPrefix("xferlog.resume/1"))
      for name in ["tile-1", "resume"] { try FileManager.default.removeItem(atPath: bench.path("tmp/\(name)")) }
    }
  }

  @Test func `The Transferring article contains the tested example verbatim`() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/xferlog/xferlog.docc/Transferring.md"), encoding: .utf8)
    let code = try #require(article.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first)
    let example = try #require(code.range(of: "final class").map { String(code[$0.lowerBound...]) })
    #expect(try String(contentsOf: here, encoding: .utf8).contains(example))
  }
}
