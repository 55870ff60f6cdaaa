package import XferEvents

/// The addresses of an attempt's successive requests, and which of the requests carried credentials.
package struct RedirectTrail: Sendable {
  package struct Origin: Hashable, Sendable {
    package let scheme: String?
    package let host: String?
    package let port: Int?
  }

  /// An address without its query, which redirect events do not contain.
  private struct Address: Hashable {
    let origin: Origin
    let path: String
  }

  /// The origin of the current request.
  package private(set) var origin: Origin?
  /// The last redirect that was received.
  package private(set) var received: Fact?
  /// The answer to the last redirect; `nil` until there is one.
  package private(set) var answered: Fact?
  package private(set) var decision: RedirectDecision?
  package private(set) var count = 0
  /// The redirects that led to the same address for the first and the second time.
  package private(set) var repeated: Repetition?

  /// The last request with credentials.
  package private(set) var authorized: Fact?
  /// The removal of the credentials after a redirect to another origin; `nil` if they were not removed since `authorized`.
  package private(set) var stripped: Stripping?
  /// The first request to another origin that still carried the credentials.
  package private(set) var leak: Leak?

  // The values below are objects, because few attempts have them, and a `nil` reference keeps all other attempts small.

  package final class Repetition: Sendable {
    package let first: Fact
    package let again: Fact

    init(first: Fact, again: Fact) { (self.first, self.again) = (first, again) }
  }

  package final class Stripping: Sendable {
    package let authorized: Fact
    package let redirect: Fact
    /// The event that shows that the credentials were not sent: the answer to the redirect, or else the request.
    package let unauthorized: Fact

    init(authorized: Fact, redirect: Fact, unauthorized: Fact) {
      (self.authorized, self.redirect, self.unauthorized) = (authorized, redirect, unauthorized)
    }
  }

  package final class Leak: Sendable {
    package let authorized: Fact
    package let redirect: Fact
    /// The request to the other origin that carried the credentials.
    package let sent: Fact
    package let kind: Kind
    /// The host that received the credentials.
    package let host: String?
    /// Whether the app added the credentials itself when it was asked about the redirect.
    package let isApps: Bool

    package enum Kind: String, Sendable {
      case host = "another host"
      case port = "another port"
      case unencrypted
    }

    init(authorized: Fact, redirect: Fact, sent: Fact, kind: Kind, host: String?, isApps: Bool) {
      (self.authorized, self.redirect, self.sent) = (authorized, redirect, sent)
      (self.kind, self.host, self.isApps) = (kind, host, isApps)
    }
  }

  private var seen: [(address: Address, fact: Fact)] = []
  private var hasLeftOrigin = false
  /// The difference between the current origin and the one for which the credentials were given; `nil` if sending the credentials
  /// to the current origin is at least as safe.
  private var departure: Leak.Kind?
  private var authorizedOrigin: Origin?
  /// Whether the credentials of the next request were provided for the target of the redirect.
  private var hasNewCredentials = false
  private var hasAppsCredentials = false
  /// The transaction whose response was the last redirect.
  private var transaction: Int?

  /// The maximum number of addresses that are stored. No client follows that many redirects by default.
  private static let seenLimit = 64

  /// - Parameter path: the path of the attempt's first address, if known
  mutating func start(_ event: EventView, _ fact: Fact, path: RecordedText?) {
    origin = Origin(scheme: event.scheme, host: event.host, port: event.port)
    first = fact
    firstPath = path
  }

  // The start of the attempt, and the path of its first address. The address is added to `seen` at the first redirect, because an
  // attempt without redirects needs no list.
  private var first: Fact?
  private var firstPath: RecordedText?

  mutating func receive(_ event: EventView, _ fact: Fact) {
    // If the same redirect repeats without a decision in between, its record was written or read twice.
    if received != nil, answered == nil, let transaction, event.transaction == transaction { return }
    transaction = event.transaction
    if count == 0, let first, let origin { note(origin, firstPath, first) }
    count += 1
    received = fact
    answered = nil
    decision = nil
    let target = Origin(scheme: event.scheme, host: event.host, port: event.port)
    if let origin, origin != target { hasLeftOrigin = true }
    origin = target
    departure = authorizedOrigin.flatMap { target.departure(from: $0) }
    hasNewCredentials = false
    note(target, event.path, fact)
  }

  mutating func answer(_ event: EventView, _ fact: Fact) {
    answered = fact
    decision = event.decision
    hasAppsCredentials = event.by == .app && event.credentialsKept ?? false
    if event.credentialsKept == false {
      strip(fact)
      // If the next request carries credentials anyway, they were provided for its target.
      hasNewCredentials = true
    }
  }

  /// Notes that a challenge of the current origin was answered, so credentials in the next request are intended for this origin.
  mutating func noteCredentials() { hasNewCredentials = true }

  mutating func send(_ event: EventView, _ fact: Fact) {
    switch event.authorized {
    case true?:
      leak(fact)
      authorized = fact
      authorizedOrigin = origin
      stripped = nil
      hasLeftOrigin = false
    case false?: if stripped == nil { strip(fact) }
    case nil: break
    }
  }

  private mutating func leak(_ fact: Fact) {
    guard leak == nil, let departure, !hasNewCredentials, let authorized, let received else { return }
    leak = Leak(
      authorized: authorized, redirect: received, sent: fact, kind: departure, host: origin?.host, isApps: hasAppsCredentials)
  }

  private mutating func strip(_ fact: Fact) {
    guard hasLeftOrigin, let authorized, let received else { return }
    stripped = Stripping(authorized: authorized, redirect: received, unauthorized: fact)
  }

  private mutating func note(_ origin: Origin, _ path: RecordedText?, _ fact: Fact) {
    // A path that was truncated or not stored cannot be compared.
    guard let path = path?.key, seen.count < Self.seenLimit else { return }
    let address = Address(origin: origin, path: path)
    if repeated == nil, let earlier = seen.first(where: { $0.address == address }) {
      repeated = Repetition(first: earlier.fact, again: fact)
    }
    seen.append((address, fact))
  }
}

extension RedirectTrail.Origin {
  /// Returns how this origin differs from the one for which credentials were provided; `nil` if sending them to this origin is at
  /// least as safe.
  ///
  /// A change from http to the default port of https at the same host counts as safe.
  fileprivate func departure(from other: Self) -> RedirectTrail.Leak.Kind? {
    if host?.lowercased() != other.host?.lowercased() { return .host }
    if scheme == "http", other.scheme == "https" { return .unencrypted }
    if usedPort == other.usedPort || (other.scheme == "http" && scheme == "https" && port == nil) { return nil }
    return .port
  }

  private var usedPort: Int? { port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : nil) }
}
