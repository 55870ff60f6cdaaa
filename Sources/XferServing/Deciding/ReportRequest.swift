/// The parts of an HTTP request that decide on its answer.
package struct ReportRequest: Equatable, Sendable {
  package var method: String
  /// The path with the query, as the request line has it.
  package var target: String
  /// The values of all `Host` fields.
  package var hosts: [String]
  /// The values of all `Cookie` fields.
  package var cookies: [String]
  /// The values of all `Sec-Fetch-Site` fields, by which a browser says which site made the request.
  package var sites: [String]
  /// Whether the request has a body or announces one.
  package var hasBody: Bool

  package init(
    method: String, target: String, hosts: [String], cookies: [String] = [], sites: [String] = [], hasBody: Bool = false
  ) {
    (self.method, self.target, self.hosts) = (method, target, hosts)
    (self.cookies, self.sites, self.hasBody) = (cookies, sites, hasBody)
  }

  /// Returns the reason for which no server answers the request; `nil` without one.
  ///
  /// - Parameter acceptedHosts: The accepted values of `Host`. `nil` accepts any one value.
  func refusal(acceptedHosts: [String]?) -> RequestRefusal? {
    guard hosts.count == 1, acceptedHosts?.contains(hosts[0].lowercased()) ?? true else { return .otherHost }
    guard ["GET", "HEAD"].contains(method) else { return .otherMethod }
    if hasBody { return .body }
    // To a browser, a server on another port of this machine is the same site.
    return sites.contains { ["cross-site", "same-site"].contains($0.lowercased()) } ? .otherSite : nil
  }
}

/// The decision of the server about a request.
package enum RequestDecision: Equatable, Sendable {
  /// Send the page.
  case page
  /// Say what is new since the news with a number. The server may wait until there is something.
  case news(after: String)
  /// Send the data of the latest report.
  case data
  /// The address has the right token: store it in a cookie, and send the browser to the same address without it.
  case admit(location: String, cookie: String)
  case refuse(RequestRefusal)
}

/// A reason for not answering a request.
package enum RequestRefusal: Sendable, CaseIterable {
  case otherHost, otherMethod, body, otherSite, noToken, wrongToken, unknownPath, noMetrics

  package var status: Int {
    switch self {
    case .otherHost: 421
    case .otherMethod: 405
    case .body: 413
    case .otherSite, .noToken, .wrongToken: 403
    case .unknownPath, .noMetrics: 404
    }
  }

  /// The body of the answer.
  package var sentence: String {
    switch self {
    case .otherHost: "This server answers only to 127.0.0.1, localhost and [::1] with its own port."
    case .otherMethod: "This server only answers GET and HEAD."
    case .body: "This server accepts no request bodies."
    case .otherSite: "Another site made this request. Open the address that xferlog printed in a window of its own."
    case .noToken: "The token is missing. Open the address that xferlog serve printed, with its token."
    case .wrongToken: "The token is wrong. Open the address that xferlog serve printed last, with its token."
    case .unknownPath: "There is nothing at this address. Open the address that xferlog printed."
    case .noMetrics: "The metrics are at /metrics."
    }
  }
}
