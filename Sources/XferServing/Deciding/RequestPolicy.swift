/// Decides which requests the server answers.
///
/// Everything on this machine can connect to a port of 127.0.0.1: programs of other users, and pages of any site that a browser shows.
/// The token keeps other programs out. The check of `Host` refuses a page whose name an attacker has made to mean 127.0.0.1 (DNS
/// rebinding), and that of `Sec-Fetch-Site` a page of another site that links to the server.
package struct RequestPolicy: Sendable {
  private let hosts: [String]
  private let token: AccessToken
  /// The name of the cookie. Cookies belong to a host, not to a port, so the name contains the port.
  package let cookieName: String
  /// The folder of the page. A browser sends the cookie only to addresses in it, and no server on another port knows it.
  private let folder: AccessToken

  package init(port: Int, token: AccessToken, folder: AccessToken = AccessToken()) {
    hosts = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" }
    (self.token, self.folder) = (token, folder)
    cookieName = "xferlog-\(port)"
  }

  package func decision(on request: ReportRequest) -> RequestDecision {
    if let refusal = request.refusal(acceptedHosts: hosts) { return .refuse(refusal) }
    let (whole, items) = Self.parts(of: request.target)
    let path = Self.withoutFolder(whole)
    let tokens = items.filter { $0.name == "token" }
    // A wrong token is refused even beside a right cookie or another token.
    guard tokens.allSatisfy({ token.matches($0.value) }) else { return .refuse(.wrongToken) }
    guard !tokens.isEmpty || hasCookie(request) else { return .refuse(.noToken) }
    // The location is one of these paths, so that it cannot lead to another server.
    guard ["/", "/events", "/data"].contains(path) else { return .refuse(.unknownPath) }
    if !tokens.isEmpty {
      let rest = items.filter { $0.name != "token" }.map(\.text).joined(separator: "&")
      let place = "/\(folder.text)\(path)"
      return .admit(
        location: rest.isEmpty ? place : "\(place)?\(rest)",
        cookie: "\(cookieName)=\(token.text); Path=/\(folder.text)/; HttpOnly; SameSite=Strict")
    }
    switch path {
    case "/events": return .news(after: items.first { $0.name == "after" }.map { String($0.value) } ?? "")
    case "/data": return .data
    default: return .page
    }
  }

  /// Returns the path within the folder of a page, of this run or an earlier one.
  private static func withoutFolder(_ path: String) -> String {
    let rest = path.dropFirst()
    guard let slash = rest.firstIndex(of: "/"), AccessToken(String(rest[..<slash])) != nil else { return path }
    return String(rest[slash...])
  }

  private func hasCookie(_ request: ReportRequest) -> Bool {
    let name = "\(cookieName)="
    return request.cookies.contains { field in
      field.split(separator: ";").contains { pair in
        let cookie = pair.drop { $0 == " " }
        return cookie.hasPrefix(name) && token.matches(cookie.dropFirst(name.count))
      }
    }
  }

  /// One item of a query. Tokens and numbers need no percent-encoding, so nothing is decoded.
  private struct Item {
    let text: Substring
    var name: Substring { text.prefix { $0 != "=" } }
    var value: Substring { text.drop { $0 != "=" }.dropFirst() }
  }

  private static func parts(of target: String) -> (path: String, items: [Item]) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? parts[1] : ""
    return (String(parts[0]), query.split(separator: "&").map(Item.init))
  }
}
