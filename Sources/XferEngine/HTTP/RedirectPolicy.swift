internal import CCurl
internal import HTTPTypes
internal import XferEvents

/// The rules that decide whether a redirect is followed, and with which request.
struct RedirectPolicy: Sendable {
  /// The maximum number of redirects that a task follows.
  let limit: Int
  /// The redirect statuses, among 301, 302 and 303, after which the request keeps its method and body.
  var keepingMethod: Set<Int> = []

  enum Verdict: Equatable {
    case follow(RequestPlan)
    /// - Parameter target: the redirect's target; `nil` when it cannot be parsed.
    case refuse(RedirectDecision, target: URLFacts?, TransferError)
  }

  /// Whether a response is a redirect: it has one of the five redirect statuses and a `Location` field that is not blank.
  static func applies(to status: Int, location: String?) -> Bool {
    !(location ?? "").isEmpty && [301, 302, 303, 307, 308].contains(status)
  }

  /// - Parameter followed: the number of redirects that the task has already followed.
  func verdict(on request: RequestPlan, status: Int, location: String, followed: Int) -> Verdict {
    let target: URLFacts
    do throws(TransferError) {
      target = try request.url.resolving(location)
    } catch {
      let problem = "the Location field cannot be parsed: \(error.problem)"
      return .refuse(.badLocation, target: nil, TransferError(.badURL, number: error.number, stage: .redirect, problem: problem))
    }
    if !target.isSupported || target.host.isEmpty {
      return refusal(.refusedScheme, target, "redirect to the unsupported scheme \(target.scheme) refused")
    }
    if request.url.scheme == "https", target.scheme == "http" {
      return refusal(.refusedDowngrade, target, "redirect from https to http refused")
    }
    if followed >= limit {
      let error = TransferError(
        .httpTooManyRedirects, number: Int(CURLE_TOO_MANY_REDIRECTS.rawValue), stage: .redirect,
        problem: "the limit of \(limit) redirects is exceeded")
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

  /// Returns the method of the redirected request (RFC 9110 §15.4).
  ///
  /// 303 changes all methods except HEAD to GET; 301 and 302 change only POST to GET; 307 and 308 change nothing.
  static func method(after method: HTTPRequest.Method, status: Int) -> HTTPRequest.Method {
    switch (status, method) {
    case (303, .get), (303, .head): method
    case (303, _), (301, .post), (302, .post): .get
    default: method
    }
  }

  /// Fields that are kept when a redirect changes the origin. All others are dropped, because any field may hold a credential.
  private static let safe: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding",
    "content-language", "content-type", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "pragma", "prefer", "range", "user-agent",
  ]

  static func isSafe(_ name: HTTPField.Name) -> Bool { safe.contains(name.canonicalName) }
}
