internal import HTTPTypes

extension TransferSession {
  /// The policy for retrying a task after a transient failure.
  ///
  /// Requests with non-idempotent methods (RFC 9110 §9.2.2) are retried only when nothing was sent, when they have an
  /// `Idempotency-Key` field, or when the task allows it (`TaskOptions.allowsRepetition`). A retry never starts before the time that the server's `Retry-After` field names.
  public struct RetryPolicy: Sendable, Equatable {
    /// The maximum number of attempts after the first.
    public var maximumRetries: Int
    /// The delay before the first retry. Each further retry doubles it. Random jitter shortens every delay by up to half.
    public var delay: Duration = .seconds(1)
    /// The maximum delay between two attempts. It limits neither a fixed delay (`hasFixedDelay`) nor a longer delay that the server
    /// requests with `Retry-After`.
    public var maximumDelay: Duration = .seconds(600)
    /// The time after the task's start beyond which no attempt starts. `nil` means unlimited.
    public var maximumTime: Duration?
    /// The longest accepted `Retry-After` delay. A response that asks for more is not retried.
    public var maximumRetryAfter: Duration = .seconds(3600)
    /// The response statuses that are retried.
    public var statusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Whether a refused connection is retried.
    public var retriesRefusedConnections = true
    /// Whether requests with non-idempotent methods are retried too. Also applies to background sessions.
    public var retriesUnsafeMethods = false
    /// Whether every retry waits exactly `delay`, without doubling and jitter.
    public var hasFixedDelay = false

    public init(maximumRetries: Int) { self.maximumRetries = maximumRetries }

    /// A policy without retries, as in URLSession.
    public static let never = RetryPolicy(maximumRetries: 0)
  }
}

extension HTTPFields {
  /// Whether the request has a field by which its server recognises a repetition.
  var hasIdempotencyKey: Bool { contains { $0.name.canonicalName == "idempotency-key" } }
}

extension TransferSession.RetryPolicy {
  enum Failure {
    case error(TransferError)
    case status(Int, retryAfter: Duration?)
  }

  /// The properties of a request that decide whether it may be repeated.
  struct Request {
    let method: HTTPRequest.Method
    let hasIdempotencyKey: Bool
    /// Whether any part of the request may have reached the server.
    var wasSent: Bool
    /// The task's own permission (`TaskOptions.allowsRepetition`). `nil` means by method and header field.
    var allowsRepetition: Bool?
  }

  /// Returns the delay before the next attempt. `nil` when the failure is final.
  ///
  /// - Parameters:
  ///   - attempt: the number of the failed attempt, from 1.
  ///   - chance: a random number from 0 up to 1, which determines the jitter.
  func delay(after attempt: Int, _ failure: Failure, of request: Request, chance: Double) -> Duration? {
    guard attempt <= maximumRetries, isTransient(failure), mayRepeat(request) else { return nil }
    var wait = delay
    if !hasFixedDelay {
      wait = min(wait, maximumDelay)
      for _ in 1..<max(1, min(attempt, 40)) { wait = min(wait * 2, maximumDelay) }
      wait = wait * (1 - chance / 2)
    }
    if case .status(_, let told?) = failure {
      guard told <= maximumRetryAfter else { return nil }
      wait = max(wait, told)
    }
    return wait
  }

  private func isTransient(_ failure: Failure) -> Bool {
    switch failure {
    case .status(let status, _): statusCodes.contains(status)
    case .error(let error):
      switch error.code {
      case .networkConnectionLost, .timedOut, .cannotFindHost: true
      case .cannotConnectToHost: retriesRefusedConnections
      default: false
      }
    }
  }

  /// Returns whether a request may be sent again. The only rule for repetitions: after an error, after a suspension, on another
  /// connection, and after a restart of the daemon.
  func mayRepeat(_ request: Request) -> Bool {
    if !request.wasSent { return true }
    if let told = request.allowsRepetition { return told }
    let isIdempotent = [.get, .head, .put, .delete, .options, .trace].contains(request.method)
    return retriesUnsafeMethods || isIdempotent || request.hasIdempotencyKey
  }
}
