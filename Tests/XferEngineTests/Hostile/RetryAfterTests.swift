import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEvents
import XferScript

@testable import XferEngine

/// Tests that retries respect `Retry-After`, with random responses and one manual clock for engine and server.
struct RetryAfterTests {
  private typealias Policy = TransferSession.RetryPolicy

  /// An error response, and the delay that its `Retry-After` asks for. `nil` without a valid `Retry-After`.
  private struct Answer {
    var response: ScriptedResponse
    var told: Duration?
  }

  private static func answer(_ random: inout SeededRandom) -> Answer {
    let status = [408, 429, 500, 502, 503, 504].randomElement(using: &random)!
    let seconds = Int.random(in: 0...4000, using: &random)
    func date(_ offset: Int) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "UTC")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(1_893_456_000 + offset)))
    }
    let (headers, told): (ScriptHeaders, Int?) =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: ([:], nil)
      case 1: (["Retry-After": "-\(seconds + 1)"], nil)
      case 2: (["Retry-After": "soon"], nil)
      case 3: (["Retry-After": "99999999999999999999999"], .max)
      case 4: (["Retry-After": "\(Int.random(in: 90_000_000...Int.max, using: &random))"], .max)
      case 5: (["Retry-After": date(-seconds), "Date": date(0)], 0)
      case 6, 7: (["Retry-After": date(seconds), "Date": date(0)], seconds)
      case 8: (["Retry-After": "\(seconds / 2)", "retry-after": "\(seconds)"], seconds)
      default: (["Retry-After": "\(seconds)"], seconds)
      }
    return Answer(
      response: ScriptedResponse(status: status, headers: headers, body: "later"),
      told: told.map { .seconds(min($0, 9_000_000_000)) })
  }

  private static func policy(_ random: inout SeededRandom) -> Policy {
    var policy = Policy(maximumRetries: Int.random(in: 0...5, using: &random))
    policy.delay = .milliseconds(Int.random(in: 0...5000, using: &random))
    policy.maximumDelay = .seconds(Int.random(in: 1...60, using: &random))
    policy.maximumRetryAfter = .seconds([0, 60, 3600].randomElement(using: &random)!)
    policy.hasFixedDelay = Bool.random(using: &random)
    return policy
  }

  /// Covers the path from the raw response head to the decision. A campaign runs 1,000 seeds.
  @Test(arguments: seeds(100, campaign: 1_000))
  func `The retry delay respects Retry-After, the limits and the number of retries`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let policy = Self.policy(&random)
    for attempt in 1...policy.maximumRetries + 2 {
      let answer = Self.answer(&random)
      var head = ResponseHead(byteLimit: 10_000, countLimit: 100)
      let lines =
        ["HTTP/1.1 \(answer.response.status) x"] + answer.response.headers.fields.map { "\($0.name): \($0.value)" } + [""]
      for line in lines { _ = try Array("\(line)\r\n".utf8).withUnsafeBytes { try head.take($0) } }
      let told = head.retryAfter { 0 }
      #expect(told == answer.told, "seed \(seed)")
      let delay = policy.delay(
        after: attempt, .status(head.status, retryAfter: told), of: .init(method: .get, hasIdempotencyKey: false, wasSent: true),
        chance: Double.random(in: 0..<1, using: &random))
      let expected = attempt <= policy.maximumRetries && told ?? .zero <= policy.maximumRetryAfter
      #expect((delay != nil) == expected, "seed \(seed), attempt \(attempt)")
      guard let delay else { continue }
      #expect(delay >= told ?? .zero, "seed \(seed), attempt \(attempt)")
      #expect(delay <= max(told ?? .zero, policy.delay, policy.maximumDelay), "seed \(seed), attempt \(attempt)")
    }
  }

  @Test(arguments: seeds(10, campaign: 100))
  func `No retry arrives before the time in Retry-After, nor more often than allowed`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let policy = Self.policy(&random)
    let answers = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.answer(&random) }
    let (clock, log) = (ManualClock(), RecordingSink())
    let routes: [ServerScript.Route] = [
      .init("/a", answers.map(\.response) + [ScriptedResponse(body: "done")]), .init("/mark", .status(204)),
    ]
    let server = try await ScriptedServer.start(ServerScript(routes), now: { .nanoseconds(clock.monotonic) })
    var configuration = TransferSession.Configuration.ephemeral
    (configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource) = (nil, nil)
    configuration.retryPolicy = policy
    let session = TransferSession(configuration: configuration, sink: log, clock: clock, names: SessionNames())
    let done = Mutexed<(TransferResponse?, TransferError?)?>(nil)
    let task = try session.dataTask(with: HTTPRequest(method: .get, urlText: server.url("/a"))) { done.value = ($1, $2) }
    func requests() -> [ServedRequest] { server.requests.filter { $0.target == "/a" } }
    task.resume()
    var attempts = 1
    while true {
      let (count, uid) = (attempts, task.uid)
      let ended = await log.wait { $0.count { $0.kind == .attemptEnded && $0.task?.uid == uid } >= count }
        .filter { $0.kind == .attemptEnded && $0.task?.uid == uid }
      guard let delay = ended[count - 1].duration("retryIn") else { break }
      let told = answers[attempts - 1].told ?? .zero
      #expect(attempts <= policy.maximumRetries && told <= policy.maximumRetryAfter, "seed \(seed)")
      if delay > .zero {
        clock.advance(by: delay - .microseconds(1))
        // When this request is done, the engine has read its clock again.
        _ = try await session.data(for: HTTPRequest(method: .get, urlText: server.url("/mark")))
        #expect(requests().count == attempts, "seed \(seed): no request a microsecond too early")
        // One extra microsecond for rounding: the logged delay has whole nanoseconds.
        clock.advance(by: .microseconds(2))
      }
      attempts += 1
      let expected = attempts
      let served = try await server.waitUntil { $0.count { $0.target == "/a" } >= expected }.filter { $0.target == "/a" }
      #expect(served[attempts - 1].received - served[attempts - 2].received >= told, "seed \(seed): too early for the server")
    }
    await log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
    let result = try #require(done.value)
    #expect(result.1 == nil && requests().count == attempts && attempts <= policy.maximumRetries + 1, "seed \(seed)")
    // The last response is the result, whatever its status.
    let last = attempts > answers.count ? 200 : answers[attempts - 1].response.status
    #expect(result.0?.statusCode == last, "seed \(seed)")
    let isGivenUp = attempts <= answers.count
    let mayGoOn =
      isGivenUp && attempts <= policy.maximumRetries && answers[attempts - 1].told ?? .zero <= policy.maximumRetryAfter
    #expect(!mayGoOn, "seed \(seed): no retry although another one was allowed")
    session.finishTasksAndInvalidate()
    await server.stop()
  }
}
