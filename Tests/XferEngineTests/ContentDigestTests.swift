import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of the digests that the log contains with `digestsContent`.
struct ContentDigestTests {
  private static let size = 600_000

  /// Returns the first eight bytes of the digest by `sha256sum`.
  private func sum(_ bytes: [UInt8]) throws -> UInt64 {
    let directory = TemporaryDirectory()
    let path = try directory.write(bytes, to: "bytes")
    let run = try ToolRun("/usr/bin/sha256sum", [path])
    return try #require(UInt64(run.text.prefix(16), radix: 16))
  }

  private func digests(_ bench: Bench) -> [UInt64?] {
    bench.log.all(.taskTransferred).map { event in
      if case .digest(let digest) = event.values["content"] { digest } else { nil }
    }
  }

  private func run(_ routes: [ServerScript.Route], _ body: (Bench) async throws -> Void) async throws {
    try await Bench.run(routes, configure: { $0.digestsContent = true }, delegate: RecordingDelegate()) { try await body($0) }
  }

  @Test func `Data, asynchronous body, delegate and download have the same digest`() async throws {
    try await run([.init("/a", .generated(Self.size))]) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      let (parts, _) = try await bench.session.bytes(for: bench.request("/a"))
      for try await _ in parts {}
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged, 3)
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      let right = try sum(ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(digests(bench) == [right, right, right, right])
      #expect(bench.log.all(.fileOffered).first?.values["content"] == bench.log.all(.taskTransferred)[3].values["content"])
    }
  }

  @Test func `A resumed file has the digest of all its bytes`() async throws {
    let part = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)),
      cut: .init(.afterBodyBytes(350_000), .close), ranges: .honour
    )
    let whole = ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)), ranges: .honour)
    try await run([.init("/a", [part, whole]), .init("/b", [part, Self.changed])]) { bench in
      for (path, seed) in [("/a", 1), ("/b", 2)] as [(String, UInt64)] {
        let error = await failure { _ = try await bench.session.download(for: bench.request(path), to: bench.path("got")) }
        let data = try #require(error?.downloadTaskResumeData)
        let task = try bench.session.downloadTask(withResumeData: data)
        task.resume()
        await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
        let right = try sum(ScriptBody.bytes(seed: seed, size: Self.size))
        #expect(digests(bench).last == right)
      }
    }
  }

  private static let changed = ScriptedResponse(headers: ["ETag": "\"2\""], body: .generated(size: size, seed: .value(2)))

  @Test func `An attempt that resumes or restarts has the digest of the complete file`() async throws {
    let part = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)),
      cut: .init(.afterBodyBytes(350_000), .close), ranges: .honour
    )
    let whole = ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)), ranges: .honour)
    try await Bench.run([.init("/a", [part, whole]), .init("/b", [part, Self.changed]), .init("/c", [part, whole])]) {
      $0.digestsContent = true
      $0.retryPolicy = .init(maximumRetries: 1)
      $0.retryPolicy.delay = .zero
    } _: { bench in
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("a"))
      _ = try await bench.session.download(for: bench.request("/b"), to: bench.path("b"))
      _ = try await bench.session.data(for: bench.request("/c"))
      let (one, two) = (try sum(ScriptBody.bytes(seed: 1, size: Self.size)), try sum(ScriptBody.bytes(seed: 2, size: Self.size)))
      #expect(digests(bench) == [one, two, one])
    }
  }

  @Test func `No digest is logged unless it is enabled`() async throws {
    try await Bench.run([.init("/a", .generated(10))]) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      #expect(digests(bench) == [nil])
    }
  }
}
