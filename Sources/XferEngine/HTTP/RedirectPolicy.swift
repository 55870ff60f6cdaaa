internal import CCurl
internal import HTTPTypes
internal import XferEvents

/// Decides about redirects; asks nobody and touches nothing.
struct RedirectPolicy: Sendable {
  /// How many redirects a task may follow.
  let limit: Int
  /// Of 301, 302 and 303: those that change neither method nor body.
  var keepingMethod: Set<Int> = []

  enum Verdict: Equatable {
    case follow(RequestPlan)
    /// - Parameter target: where it would have led; `nil` when that cannot be read.
    case refuse(RedirectDecision, target: URLFacts?, TransferError)
  }

  /// Whether a response is a redirect at all: these five, with an address.
  static func applies(to status: Int, location: String?) -> Bool {
    location != nil && [301, 302, 303, 307, 308].contains(status)
  }

  /// - Parameter followed: redirects that the task has followed already.
  func verdict(on request: RequestPlan, status: Int, location: String, followed: Int) -> Verdict {
    let target: URLFacts
    do throws(TransferError) {
      target = try request.url.resolving(location)
    } catch {
      let problem = "the redirect's address cannot be read: \(error.problem)"
      return .refuse(.badLocation, target: nil, TransferError(.badURL, number: error.number, stage: .redirect, problem: problem))
    }
    if !target.isCarried || target.host.isEmpty {
      return refusal(.refusedScheme, target, "a redirect leads to the scheme \(target.scheme)")
    }
    if request.url.scheme == "https", target.scheme == "http" {
      return refusal(.refusedDowngrade, target, "a redirect leads from https to http")
    }
    if followed >= limit {
      let error = TransferError(
        .httpTooManyRedirects, number: Int(CURLE_TOO_MANY_REDIRECTS.rawValue), stage: .redirect,
        problem: "\(limit) redirects were followed already")
      return .refuse(.tooMany, target: target, error)
    }
    return .follow(next(after: request, status: status, target: target))
  }

  private func refusal(_ decision: RedirectDecision, _ target: URLFacts, _ problem: String) -> Verdict {
    let number = Int(CURLE_UNSUPPORTED_PROTOCOL.rawValue)
    return .refuse(decision, target: target, TransferError(.redirectRefused, number: number, stage: .redirect, problem: problem))
  }

  private func next(after request: RequestPlan, status: Int, target: URLFacts) -> RequestPlan {
    var next = request
    next.url = target
    next.method = keepingMethod.contains(status) ? request.method : Self.method(after: request.method, status: status)
    if next.method != request.method {
      next.body = .none
      for field in request.fields where field.name.canonicalName.hasPrefix("content-") { next.fields[values: field.name] = [] }
    }
    if target.origin != request.url.origin {
      next.fields = HTTPFields(request.fields.filter { Self.isSafe($0.name) && next.fields.contains($0.name) })
    }
    return next
  }

  /// RFC 9110 §15.4: 303 asks for GET; 301 and 302 turn POST, and only POST, into GET; 307 and 308 change nothing.
  static func method(after method: HTTPRequest.Method, status: Int) -> HTTPRequest.Method {
    switch (status, method) {
    case (303, .get), (303, .head): method
    case (303, _), (301, .post), (302, .post): .get
    default: method
    }
  }

  /// Fields that say nothing about who asks. Every other one stays behind when the origin changes, known or not: a field
  /// of the caller's own may hold a key.
  private static let safe: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding",
    "content-language", "content-type", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "pragma", "prefer", "range", "user-agent",
  ]

  static func isSafe(_ name: HTTPField.Name) -> Bool { safe.contains(name.canonicalName) }
}
