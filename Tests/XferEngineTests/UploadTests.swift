import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

/// Upload tests, which compare the body with the server's own record of received bytes.
struct UploadTests {
  private static let bytes = Data(ScriptBody.bytes(seed: 4, size: 3_000_001))

  /// Returns the test's bytes as a stream, in parts of different sizes.
  private static func stream(length: Int64? = nil, fails: Bool = false, cut: Int = 0) -> RequestBodyStream {
    RequestBodyStream(
      AsyncThrowingStream<Data, any Error> { continuation in
        var (rest, size) = (bytes.dropLast(cut), 0)
        while !rest.isEmpty {
          size = (size * 7 + 13) % 100_003
          continuation.yield(Data(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        continuation.finish(throwing: fails ? CocoaError(.fileReadCorruptFile) : nil)
      }, length: length)
  }

  private func check(_ request: ServedRequest, _ method: HTTPRequest.Method, length: Int?) {
    #expect(request.method == method.rawValue)
    #expect(request.requestBodyBytes == Self.bytes.count)
    #expect(request.requestBodyCRC32 == CRC32(Array(Self.bytes)).value)
    #expect(request.headers["Content-Length"] == length.map { "\($0)" })
    #expect(request.headers["Transfer-Encoding"] == (length == nil ? "chunked" : nil))
    #expect(request.headers["Content-Type"] == "text/x")
  }

  @Test(arguments: [HTTPRequest.Method.put, .post, .patch, HTTPRequest.Method("PROPFIND")!])
  func `A body from memory, a file or a stream arrives unchanged`(method: HTTPRequest.Method) async throws {
    try await Bench.run([.init("/a", ScriptedResponse(status: 201, body: "made"))]) { bench in
      let request = bench.request("/a", method, [.contentType: "text/x"])
      try Self.bytes.write(to: URL(fileURLWithPath: bench.path("source")))
      let answers = [
        try await bench.session.upload(for: request, from: Self.bytes),
        try await bench.session.upload(for: request, fromFile: URL(fileURLWithPath: bench.path("source"))),
        try await bench.session.upload(for: request) { Self.stream(length: Int64(Self.bytes.count)) },
        try await bench.session.upload(for: request) { Self.stream() },
      ]
      for (data, response) in answers { #expect(response.statusCode == 201 && String(decoding: data, as: UTF8.self) == "made") }
      for (place, request) in bench.server.requests.enumerated() {
        check(request, method, length: place == 3 ? nil : Self.bytes.count)
      }
      await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == 4 }
      let size = Int64(Self.bytes.count)
      for kind in [EventKind.taskTransferred, .taskCompleted, .attemptEnded] {
        #expect(bench.log.all(kind).map { $0.number("sent") } == [size, size, size, size], "\(kind)")
      }
      let created = bench.log.all(.taskCreated)
      #expect(created.allSatisfy { $0.text("type") == "upload" })
      #expect(created.map { $0.number("sourceSize") } == [nil, size, nil, nil])
      #expect(bench.log.all(.attemptStarted)[1].number("sourceSize") == size)
      #expect(created[1].values["sourceModified"] == bench.log.all(.attemptStarted)[1].values["sourceModified"])
      #expect(bench.log.all(.attemptBytesSent).last?.number("sent") == size)
    }
  }

  @Test func `An empty body is sent with its length`() async throws {
    try await Bench.run([.init("/a", .status(204))]) { bench in
      _ = try await bench.session.upload(for: bench.request("/a", .post), from: Data())
      #expect(bench.server.requests[0].headers["Content-Length"] == "0")
      _ = try await bench.session.upload(for: bench.request("/a", .put)) { RequestBodyStream(AsyncStream { $0.finish() }) }
      #expect(bench.server.requests[1].requestBodyBytes == 0)
    }
  }

  @Test func `The delegate provides the stream and receives progress callbacks`() async throws {
    let delegate = RecordingDelegate(stream: { Self.stream(length: Int64(Self.bytes.count)) })
    try await Bench.run([.init("/a", ScriptedResponse(body: "ok"))], delegate: delegate) { bench in
      let task = try bench.session.uploadTask(withStreamedRequest: bench.request("/a", .put))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      let seen = delegate.seen
      #expect(seen.calls == ["stream", "sent", "response", "data", "metrics", "complete"])
      #expect(seen.handed.reduce(0) { $0 + $1.count } == Int64(Self.bytes.count))
      #expect(seen.handed.last?.total == Int64(Self.bytes.count) && seen.handed[0].expected == Int64(Self.bytes.count))
      #expect(task.countOfBytesSent == Int64(Self.bytes.count) && task.countOfBytesExpectedToSend == Int64(Self.bytes.count))
    }
  }

  @Test(arguments: [307, 308, 301, 303])
  func `A redirect that keeps the method sends the body again`(status: Int) async throws {
    let delegate = RecordingDelegate(stream: { Self.stream() })
    let routes: [ServerScript.Route] = [.init("/a", .redirect(to: "/b", status: status)), .init("/b", .status(200))]
    try await Bench.run(routes, delegate: delegate) { bench in
      let request = bench.request("/a", .put, [.contentType: "text/x"])
      for task in [
        try bench.session.uploadTask(withStreamedRequest: request), try bench.session.uploadTask(with: request, from: Self.bytes),
      ] {
        task.resume()
        await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == task.taskIdentifier }
        #expect(task.error == nil && task.response?.statusCode == 200)
      }
      let second = bench.server.requests.filter { $0.target == "/b" }
      #expect(second.count == 2)
      if status == 303 {
        #expect(second.allSatisfy { $0.method == "GET" && $0.requestBodyBytes == 0 })
      } else {
        check(second[0], .put, length: nil)
        check(second[1], .put, length: Self.bytes.count)
      }
      #expect(delegate.seen.calls.count { $0 == "stream" } == (status == 303 ? 1 : 2))
    }
  }

  @Test func `An upload on a stale reused connection is retried on a new one`() async throws {
    let script = [ServerScript.Route("/a", [ScriptedResponse(body: "1", cut: .init(.afterBody, .reset)), .init(body: "2")])]
    try await Bench.run(script) { bench in
      let request = bench.request("/a", .put, [.contentType: "text/x"])
      for _ in 0..<2 { _ = try await bench.session.upload(for: request, from: Self.bytes) }
      check(bench.server.requests.last!, .put, length: Self.bytes.count)
    }
  }

  @Test func `An early final response stops the sending of the body`() async throws {
    let early = ScriptedResponse(status: 413, body: "too much", continue100: .answer)
    try await Bench.run([.init("/a", early)]) { bench in
      let (data, response) = try await bench.session.upload(for: bench.request("/a", .put), from: Self.bytes)
      #expect(response.statusCode == 413 && String(decoding: data, as: UTF8.self) == "too much")
      #expect(bench.server.requests[0].requestBodyBytes < Self.bytes.count)
    }
  }

  @Test func `An unreadable body fails the task, with an error for each cause`() async throws {
    try await Bench.run([.init("/a", .status(200))]) { bench in
      let request = bench.request("/a", .put)
      let missing = URL(fileURLWithPath: bench.path("missing"))
      let none = await failure { _ = try await bench.session.upload(for: request, fromFile: missing) }
      #expect(none?.code == .cannotOpenFile && none?.osError == Int(ENOENT) && none?.curlExitCode == 26)
      let directory = await failure {
        _ = try await bench.session.upload(for: request, fromFile: URL(fileURLWithPath: bench.directory))
      }
      #expect(directory?.osError == Int(EISDIR))
      #expect(bench.log.all(.taskRejected).map { $0.text("rejection") } == ["missingSource", "missingSource"])

      let file = URL(fileURLWithPath: bench.path("source"))
      try Self.bytes.write(to: file)
      let task = try bench.session.uploadTask(with: request, fromFile: file)
      try FileManager.default.removeItem(at: file)
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error?.code == .cannotOpenFile && bench.server.requests.isEmpty)

      for (stream, problem) in [
        (Self.stream(fails: true), "failed"), (Self.stream(length: 3_000_001, cut: 1), "ended after 3000000 of 3000001"),
        (Self.stream(length: 3_000_000), "more than the declared length of 3000000"),
      ] {
        let error = await failure { _ = try await bench.session.upload(for: request) { stream } }
        #expect(error?.code == .cannotReadBody && error?.problem.contains(problem) == true, "\(String(describing: error))")
      }
      let noStream = try bench.session.uploadTask(withStreamedRequest: request)
      noStream.resume()
      await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == 5 }
      #expect(noStream.error?.code == .cancelled)
    }
  }

  @Test func `A stream is read only as fast as the server accepts it, until its task is cancelled`() async throws {
    let given = Mutexed(0)
    let parts = AsyncStream<Data>(unfolding: {
      if Task.isCancelled { return nil }
      given.value += 1
      return Data(repeating: 7, count: 65_536)
    })
    let delegate = RecordingDelegate(stream: { RequestBodyStream(parts) })
    try await Bench.run([.init("/a", .hang(.afterRequestBytes(100_000)))], delegate: delegate) { bench in
      let task = try bench.session.uploadTask(withStreamedRequest: bench.request("/a", .put))
      task.resume()
      try await bench.server.waitUntil { $0.first.map { $0.phase == .hanging } ?? false }
      task.cancel()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error?.code == .cancelled)
      // The limit covers the socket buffers of both ends and the engine's own queue.
      #expect(given.value < 400)
    }
  }

  @Test(arguments: [true, false])
  func `A completion handler is called once, with a result or an error`(fails: Bool) async throws {
    try await Bench.run([.init("/a", fails ? .hang(.beforeStatus) : ScriptedResponse(body: "ok"))]) { bench in
      let calls = Mutexed<[String]>([])
      let completion = { @Sendable (data: Data?, response: TransferResponse?, error: TransferError?) in
        calls.value.append(
          "\(data.map { String(decoding: $0, as: UTF8.self) } ?? "-") \(response?.statusCode ?? 0) \(error?.code.rawValue ?? "-")"
        )
      }
      let request = bench.request("/a", .put)
      let file = URL(fileURLWithPath: bench.path("source"))
      try Self.bytes.write(to: file)
      let tasks: [TransferTask] = [
        try bench.session.dataTask(with: request, completionHandler: completion),
        try bench.session.uploadTask(with: request, from: Data("x".utf8), completionHandler: completion),
        try bench.session.uploadTask(with: request, fromFile: file, completionHandler: completion),
        try bench.session.downloadTask(with: request) { file, response, error in
          completion(file.map { FileManager.default.contents(atPath: $0.path)! }, response, error)
        },
      ]
      for task in tasks { task.resume() }
      if fails { for task in tasks { task.cancel() } }
      await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == 4 }
      #expect(calls.value == Array(repeating: fails ? "- 0 cancelled" : "ok 200 -", count: 4))
      #expect(bench.log.all(.taskCreated).allSatisfy { $0.text("completion") == "closure" })
    }
  }
}
