internal import HTTPTypes

extension TransferSession {
  /// Whether and when a task tries again, after an attempt that failed in passing.
  ///
  /// Methods that must not happen twice (RFC 9110 §9.2.2) are tried again only when nothing was sent, or when the request has an
  /// `Idempotency-Key`. A server that says `Retry-After` is never asked earlier.
  public struct RetryPolicy: Sendable, Equatable {
    /// Attempts after the first.
    public var maximumRetries: Int
    /// Before the first of them; each next one waits twice as long, and all of them up to half of it less, at random.
    public var delay: Duration = .seconds(1)
    public var maximumDelay: Duration = .seconds(600)
    /// After the task's start: no attempt begins later. `nil` is no limit.
    public var maximumTime: Duration?
    /// A server that asks for more time than this is not asked again.
    public var maximumRetryAfter: Duration = .seconds(3600)
    /// Statuses that may pass.
    public var statusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Whether a refused connection may pass.
    public var retriesRefusedConnections = true
    /// Whether any method may happen twice.
    public var retriesUnsafeMethods = false
    /// Whether delays are as they are written, without doubling and chance.
    public var hasFixedDelay = false

    public init(maximumRetries: Int) { self.maximumRetries = maximumRetries }

    /// One attempt, as URLSession has it.
    public static let never = RetryPolicy(maximumRetries: 0)
  }
}

extension TransferSession.RetryPolicy {
  enum Failure {
    case error(TransferError)
    case status(Int, retryAfter: Duration?)
  }

  /// What an attempt was about.
  struct Request {
    let method: HTTPRequest.Method
    let hasIdempotencyKey: Bool
    /// Whether anything of it may have reached the server.
    let wasSent: Bool
  }

  /// - Parameters:
  ///   - attempt: the one that failed, from 1.
  ///   - chance: from 0 up to 1.
  /// - Returns: how long to wait before the next; `nil` when there is none.
  func delay(after attempt: Int, _ failure: Failure, of request: Request, chance: Double) -> Duration? {
    guard attempt <= maximumRetries, mayPass(failure), mayRepeat(request) else { return nil }
    var wait = delay
    if !hasFixedDelay {
      for _ in 1..<max(1, min(attempt, 40)) { wait = min(wait * 2, maximumDelay) }
      wait = wait * (1 - chance / 2)
    }
    if case .status(_, let told?) = failure {
      guard told <= maximumRetryAfter else { return nil }
      wait = max(wait, told)
    }
    return wait
  }

  private func mayPass(_ failure: Failure) -> Bool {
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

  private func mayRepeat(_ request: Request) -> Bool {
    let isIdempotent = [.get, .head, .put, .delete, .options, .trace].contains(request.method)
    return retriesUnsafeMethods || isIdempotent || request.hasIdempotencyKey || !request.wasSent
  }
}
