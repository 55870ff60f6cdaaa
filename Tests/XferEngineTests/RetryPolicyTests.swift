import HTTPTypes
import Testing

@testable import XferEngine

struct RetryPolicyTests {
  private typealias Policy = TransferSession.RetryPolicy

  private static func request(_ method: HTTPRequest.Method = .get, key: Bool = false, sent: Bool = true) -> Policy.Request {
    .init(method: method, hasIdempotencyKey: key, wasSent: sent)
  }

  private static let lost = TransferError(.networkConnectionLost, number: 56, stage: .body, problem: "")

  @Test func `Delays double up to the maximum, and jitter shortens them by up to half`() {
    var policy = Policy(maximumRetries: 100)
    policy.maximumDelay = .seconds(20)
    let delays = (1...8).map { policy.delay(after: $0, .error(Self.lost), of: Self.request(), chance: 0)! }
    #expect(delays == [1, 2, 4, 8, 16, 20, 20, 20].map { .seconds($0) })
    #expect(policy.delay(after: 3, .error(Self.lost), of: Self.request(), chance: 0.5) == .seconds(3))
    #expect(policy.delay(after: 100, .error(Self.lost), of: Self.request(), chance: 1) == .seconds(10))
    #expect(policy.delay(after: 101, .error(Self.lost), of: Self.request(), chance: 0) == nil)
    policy.delay = .seconds(30)
    #expect(policy.delay(after: 1, .error(Self.lost), of: Self.request(), chance: 0) == .seconds(20))
    policy.delay = .seconds(1)
    policy.hasFixedDelay = true
    #expect(policy.delay(after: 8, .error(Self.lost), of: Self.request(), chance: 0.9) == .seconds(1))
    #expect(Policy.never.delay(after: 1, .error(Self.lost), of: Self.request(), chance: 0) == nil)
  }

  @Test func `A retry waits for Retry-After, unless that exceeds the limit`() {
    let policy = Policy(maximumRetries: 3)
    func delay(_ told: Duration?) -> Duration? {
      policy.delay(after: 1, .status(503, retryAfter: told), of: Self.request(), chance: 1)
    }
    #expect(delay(.seconds(90)) == .seconds(90))
    #expect(delay(.zero) == .milliseconds(500))
    #expect(delay(nil) == .milliseconds(500))
    #expect(delay(.seconds(3601)) == nil)
  }

  @Test(arguments: [
    (TransferError.Code.networkConnectionLost, true), (.timedOut, true), (.cannotFindHost, true), (.cannotConnectToHost, true),
    (.cancelled, false), (.badServerResponse, false), (.serverCertificateUntrusted, false), (.cannotWriteToFile, false),
  ])
  func `Only transient errors are retried`(code: TransferError.Code, expected: Bool) {
    let policy = Policy(maximumRetries: 1)
    let error = TransferError(code, number: 0, stage: .body, problem: "")
    #expect((policy.delay(after: 1, .error(error), of: Self.request(), chance: 0) != nil) == expected)
  }

  @Test func `Non-idempotent requests are retried only if unsent, permitted or with an idempotency key`() {
    var policy = Policy(maximumRetries: 1)
    func tries(_ request: Policy.Request) -> Bool { policy.delay(after: 1, .error(Self.lost), of: request, chance: 0) != nil }
    for method in [HTTPRequest.Method.get, .head, .put, .delete, .options] { #expect(tries(Self.request(method))) }
    for method in [HTTPRequest.Method.post, .patch, HTTPRequest.Method("MERGE")!] {
      #expect(!tries(Self.request(method)))
      #expect(tries(Self.request(method, key: true)))
      #expect(tries(Self.request(method, sent: false)))
    }
    policy.retriesUnsafeMethods = true
    #expect(tries(Self.request(.post)))
  }

  @Test func `A task's own permission decides about a repetition, and never about a request that was not sent`() {
    var policy = Policy(maximumRetries: 1)
    func tries(_ request: Policy.Request) -> Bool { policy.delay(after: 1, .error(Self.lost), of: request, chance: 0) != nil }
    for method in [HTTPRequest.Method.get, .put, .post] {
      #expect(tries(.init(method: method, hasIdempotencyKey: false, wasSent: true, allowsRepetition: true)))
      #expect(!tries(.init(method: method, hasIdempotencyKey: true, wasSent: true, allowsRepetition: false)))
      #expect(tries(.init(method: method, hasIdempotencyKey: false, wasSent: false, allowsRepetition: false)))
    }
    policy.retriesUnsafeMethods = true
    #expect(!tries(.init(method: .post, hasIdempotencyKey: false, wasSent: true, allowsRepetition: false)))
  }
}
