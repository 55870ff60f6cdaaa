import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of resuming a download that lost its connection. The result must have the bytes of a single version.
struct ResumeTests {
  private static let size = 500_000
  private static let cut = 200_000

  private static func version(
    _ seed: UInt64, _ validators: ScriptHeaders = ["ETag": "\"1\""], ranges: ScriptedResponse.RangePolicy = .honour,
    ifRange: ScriptedResponse.IfRangePolicy = .honour, cut: Int? = nil
  ) -> ScriptedResponse {
    ScriptedResponse(
      headers: validators, body: .generated(size: size, seed: .value(seed)),
      cut: cut.map { .init(.afterBodyBytes($0), .close) }, ranges: ranges, ifRange: ifRange)
  }

  private static func bytes(_ seed: UInt64) -> [UInt8] { ScriptBody.bytes(seed: seed, size: size) }

  /// Starts a download whose connection is lost within the body, and returns its error.
  private func stopped(_ bench: Bench) async throws -> TransferError {
    let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
    return try #require(error)
  }

  private func resumeData(_ bench: Bench) async throws -> Data {
    let error = try await stopped(bench)
    return try #require(error.downloadTaskResumeData)
  }

  /// Resumes the download and waits until it completes.
  private func resume(_ bench: Bench, _ resumeData: Data?) async throws -> TransferTask {
    let data = try #require(resumeData)
    let delegate = try #require(bench.session.delegate as? RecordingDelegate)
    let before = delegate.seen.completions.count
    let task = try bench.session.downloadTask(withResumeData: data)
    task.resume()
    await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
    #expect(delegate.seen.completions.count == before + 1)
    return task
  }

  private func run(
    _ responses: [ScriptedResponse], configure: (inout TransferSession.Configuration) -> Void = { _ in },
    _ body: (Bench, RecordingDelegate) async throws -> Void
  ) async throws {
    let directory = Mutexed("")
    let delegate = RecordingDelegate(file: { try $0.move(to: directory.value + "/got", replacing: true) })
    try await Bench.run([.init("/a", responses)], configure: configure, delegate: delegate) { bench in
      directory.value = bench.directory
      try await body(bench, delegate)
    }
  }

  @Test(arguments: ScriptedResponse.RangePolicy.allCases)
  func `A resumed file is complete however the server treats the range`(policy: ScriptedResponse.RangePolicy) async throws {
    try await run([Self.version(1, cut: Self.cut), Self.version(1, ranges: policy)]) { bench, delegate in
      let error = try await stopped(bench)
      #expect(error.code == .networkConnectionLost)
      let task = try await resume(bench, error.downloadTaskResumeData)
      #expect(task.error == nil)
      #expect(bench.bytes("got") == Self.bytes(1))
      let requests = bench.server.requests
      #expect(requests[1].headers["Range"] == "bytes=\(Self.cut)-")
      #expect(requests[1].headers["If-Range"] == "\"1\"")
      let asksAgain: [ScriptedResponse.RangePolicy] = [
        .wrongStart, .lyingStart, .sliceAs200, .noContentRange, .wrongTotal, .refuse,
      ]
      #expect(requests.dropFirst(2).allSatisfy { ($0.headers["Range"] == nil) == asksAgain.contains(policy) }, "\(policy)")
      if asksAgain.contains(policy) { #expect(requests.count == 3) }
      if policy == .shortSlice { #expect(requests.count > 3, "the remainder arrives in several parts") }
      if [.honour, .earlyStart, .shortSlice].contains(policy) {
        #expect(delegate.seen.resumed.map(\.offset) == [Int64(Self.cut)])
        #expect(delegate.seen.written.last?.total == Int64(Self.size))
      }
      let started = bench.log.all(.attemptStarted)
      #expect(started[1].number("offset") == Int64(Self.cut))
      #expect(bench.log.all(.taskCompleted)[0].values["resumeData"] == bench.log.all(.taskCreated)[1].values["resumeData"])
      #expect(bench.log.all(.taskCompleted)[0].values["resumeData"] != nil)
    }
  }

  @Test(
    arguments: [ScriptedResponse.IfRangePolicy.honour, .ignore], [["ETag": "\"2\""], [:], ["ETag": "W/\"1\""]] as [ScriptHeaders])
  func `A changed resource is downloaded again`(ifRange: ScriptedResponse.IfRangePolicy, validators: ScriptHeaders) async throws {
    // If a server ignores If-Range and sends no validator, a change of the resource cannot be detected.
    if ifRange == .ignore, validators["ETag"] == nil { return }
    let responses = [Self.version(1, cut: Self.cut), Self.version(2, validators, ifRange: ifRange)]
    try await run(responses) { bench, _ in
      let task = try await resume(bench, try await stopped(bench).downloadTaskResumeData)
      #expect(task.error == nil && bench.bytes("got") == Self.bytes(2))
      let ended = bench.log.all(.attemptEnded)
      if ifRange == .ignore { #expect(ended[1].text("errorName") == "cannotResume" && ended[1].text("end") == "refused") }
    }
  }

  @Test(
    arguments: [
      [:], ["ETag": "W/\"1\""], ["ETag": "1"], ["Last-Modified": "Tue, 01 Jan 2030 00:00:00 GMT"],
      ["Last-Modified": "Tue, 01 Jan 2030 00:00:00 GMT", "Date": "Tue, 01 Jan 2030 00:00:30 GMT"],
    ] as [ScriptHeaders])
  func `Without a strong validator there is no resume data`(validators: ScriptHeaders) async throws {
    try await run([Self.version(1, validators, cut: Self.cut)]) { bench, _ in
      let error = try await stopped(bench)
      #expect(error.downloadTaskResumeData == nil)
    }
  }

  @Test func `A Last-Modified date at least a minute older than its response allows resuming`() async throws {
    let dates: ScriptHeaders = ["Last-Modified": "Tue, 01 Jan 2030 00:00:00 GMT", "Date": "Tue, 01 Jan 2030 00:02:00 GMT"]
    try await run([Self.version(1, dates, cut: Self.cut), Self.version(1, dates)]) { bench, _ in
      let task = try await resume(bench, try await stopped(bench).downloadTaskResumeData)
      #expect(task.error == nil && bench.bytes("got") == Self.bytes(1))
      #expect(bench.server.requests[1].headers["If-Range"] == "Tue, 01 Jan 2030 00:00:00 GMT")
      #expect(bench.log.all(.attemptResponseReceived)[1].number("status") == 206)
    }
  }

  @Test func `An error page in response to a range request replaces the partial file`() async throws {
    try await run([Self.version(1, cut: Self.cut), ScriptedResponse(status: 404, body: "gone")]) { bench, _ in
      let task = try await resume(bench, try await stopped(bench).downloadTaskResumeData)
      #expect(task.response?.statusCode == 404 && bench.bytes("got") == Array("gone".utf8))
    }
  }

  @Test func `A download can be interrupted and resumed several times`() async throws {
    let cuts = [100_000, 50_000, 1, 200_000].map { Self.version(1, cut: $0) }
    try await run(cuts + [Self.version(1)]) { bench, _ in
      var data = try await resumeData(bench)
      for _ in 0..<3 { data = try #require(try await resume(bench, data).error?.downloadTaskResumeData) }
      let last = try await resume(bench, data)
      #expect(last.error == nil && bench.bytes("got") == Self.bytes(1))
      #expect(
        bench.server.requests.map { $0.headers["Range"] ?? "" } == [
          "", "bytes=100000-", "bytes=150000-", "bytes=150001-", "bytes=350001-",
        ])
    }
  }

  @Test func `Only the first of two cancellations produces resume data`() async throws {
    let hanging = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: 1), cut: .init(.afterBodyBytes(Self.cut), .hang))
    try await run([hanging, Self.version(1)]) { bench, delegate in
      let task = try bench.session.downloadTask(with: bench.request("/a"))
      task.resume()
      try await bench.server.waitUntil { $0.first.map { $0.phase == .hanging } ?? false }
      await bench.log.wait(for: .attemptBytesReceived)
      async let data = task.cancelByProducingResumeData()
      async let second = task.cancelByProducingResumeData()
      let both = await [data, second]
      #expect(both.count { $0 != nil } == 1)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error?.code == .cancelled)
      let last = try await resume(bench, both.compactMap { $0 }.first)
      #expect(last.error == nil && bench.bytes("got") == Self.bytes(1))
    }
  }

  @Test func `Cancelling a download without received bytes gives no resume data`() async throws {
    try await run([.hang(.beforeStatus)]) { bench, _ in
      let task = try bench.session.downloadTask(with: bench.request("/a"))
      let nothing = await task.cancelByProducingResumeData()
      #expect(nothing == nil)
      let again = await task.cancelByProducingResumeData()
      #expect(again == nil)
      await bench.log.wait(for: .taskAcknowledged)
    }
  }

  @Test func `Invalid resume data is rejected, and a missing partial file is downloaded from the beginning`() async throws {
    try await run([Self.version(1, cut: Self.cut), Self.version(1)]) { bench, _ in
      let data = try await resumeData(bench)
      var changed = data
      changed[data.count / 2] ^= 1
      for bad in [Data(), Data("x".utf8), data.dropLast(5), changed, Data(data.reversed())] {
        #expect(throws: TransferError.self) { try bench.session.downloadTask(withResumeData: bad) }
      }
      #expect(bench.log.all(.taskRejected).allSatisfy { $0.text("rejection") == "resumeDataInvalid" })
      for file in try FileManager.default.contentsOfDirectory(atPath: bench.directory + "/tmp") {
        try FileManager.default.removeItem(atPath: bench.directory + "/tmp/" + file)
      }
      let task = try await resume(bench, data)
      #expect(task.error == nil && bench.bytes("got") == Self.bytes(1))
      #expect(bench.server.requests[1].headers["Range"] == nil)
    }
  }

  @Test func `Resume data contains no credentials`() async throws {
    try await run([Self.version(1, cut: Self.cut), Self.version(1)]) { bench, _ in
      var request = bench.request("/a")
      request.headerFields[.authorization] = "Bearer canary"
      request.headerFields[.init("X-Api-Key")!] = "canary"
      request.headerFields[.accept] = "text/x"
      let error = await failure { _ = try await bench.session.download(for: request, to: bench.path("got")) }
      let data = try #require(error?.downloadTaskResumeData)
      #expect(!String(decoding: data, as: UTF8.self).contains("canary"))
      let task = try bench.session.downloadTask(withResumeData: data, headerFields: [.authorization: "Bearer new"])
      task.resume()
      await bench.log.wait(for: .taskAcknowledged, 2)
      let headers = bench.server.requests[1].headers
      #expect(headers["Accept"] == "text/x" && headers["Authorization"] == "Bearer new" && headers["X-Api-Key"] == nil)
    }
  }

  // MARK: Retrying

  @Test func `A retry continues at the offset of the lost attempt`() async throws {
    let responses = [
      Self.version(1, cut: Self.cut), Self.version(1, cut: 100_000), ScriptedResponse(status: 503), Self.version(1),
    ]
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.retryPolicy = .init(maximumRetries: 3)
      configuration.retryPolicy.delay = .milliseconds(1)
    }
    try await run(responses, configure: configure) { bench, _ in
      let response = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      #expect(response.statusCode == 206 && bench.bytes("got") == Self.bytes(1))
      #expect(bench.server.requests.map { $0.headers["Range"] ?? "" } == ["", "bytes=200000-", "bytes=300000-", "bytes=300000-"])
      await bench.log.wait(for: .taskAcknowledged)
      let ended = bench.log.all(.attemptEnded)
      #expect(ended.map { $0.text("end") } == ["transport", "transport", "finished", "finished"])
      #expect(ended.map { $0.values["retryIn"] != nil } == [true, true, true, false])
      #expect(bench.log.all(.attemptStarted).map { $0.number("offset") } == [0, 200_000, 300_000, 300_000])
      #expect(bench.log.all(.taskHeld).allSatisfy { $0.text("hold") == "backoff" })
    }
  }

  @Test func `Without a validator, a retry starts from the beginning`() async throws {
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.retryPolicy = .init(maximumRetries: 1)
      configuration.retryPolicy.delay = .zero
    }
    try await run([Self.version(1, [:], cut: Self.cut), Self.version(1, [:])], configure: configure) { bench, _ in
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      #expect(bench.bytes("got") == Self.bytes(1) && bench.server.requests[1].headers["Range"] == nil)
      // A body in memory is also requested from the beginning.
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(Array(data) == Self.bytes(1))
    }
  }

  @Test func `A backoff ends when its task is cancelled, and never exceeds the resource timeout`() async throws {
    let clock = ManualClock()
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.retryPolicy = .init(maximumRetries: 5)
      configuration.timeoutIntervalForResource = .seconds(100)
    }
    let answer = ScriptedResponse(status: 503, headers: ["Retry-After": "30"], body: "later")
    try await Bench.run([.init("/a", answer)], configure: configure, clock: clock) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      for round in 1...3 {
        await bench.log.wait(for: .taskHeld, round)
        clock.advance(by: .seconds(29))
        #expect(bench.server.requests.count == round, "no retry before the time in Retry-After")
        clock.advance(by: .seconds(1))
      }
      // A fourth wait would end after the resource timeout, so the response is the result.
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error == nil && task.response?.statusCode == 503 && bench.server.requests.count == 4)

      let cancelled = try bench.session.dataTask(with: bench.request("/a"))
      cancelled.resume()
      await bench.log.wait(for: .taskHeld, 4)
      cancelled.cancel()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(cancelled.error?.code == .cancelled && bench.server.requests.count == 5)
    }
  }
}
