import Foundation
import XferEngine

/// The cookies that a command loads at its start and saves at its end.
struct CookieInput {
  let storage = TransferSession.CookieStorage()
  private let jars: [String]
  /// The cookies typed on the command line, which are sent but not saved.
  private var typed: Set<TransferSession.Cookie> = []

  /// Loads the cookies named by the options, and enables cookies for the groups of options that use them.
  ///
  /// - Returns: The cookies, or `nil` when no option uses cookies.
  init?(_ settings: inout CommandSettings, files: FileReader) throws(OptionProblem) {
    let isKept = settings.groups.contains { $0.cookieJar != nil || $0.cookies.contains { !$0.contains("=") } }
    jars = settings.groups.compactMap(\.cookieJar)
    for place in settings.groups.indices {
      let group = settings.groups[place]
      let pairs = group.cookies.filter { $0.contains("=") }.joined(separator: "; ")
      if isKept {
        settings.groups[place].session.usesCookies = true
        for path in group.cookies where !path.contains("=") {
          if let text = files.text(path) { load(text) }
          if group.session.dropsSessionCookies { storage.removeSessionCookies() }
        }
        add(pairs, for: group.urls)
      } else if !pairs.isEmpty {
        settings.groups[place].fields.append("Cookie: \(pairs)")
      }
    }
    guard isKept else { return nil }
  }

  /// Loads cookies from text in Netscape's format, or from a response head.
  private func load(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if let cookie = TransferSession.Cookie(netscapeLine: String(line)) {
        storage.setCookie(cookie)
      } else if line.lowercased().hasPrefix("set-cookie:") {
        storage.setCookie(headerLine: String(line))
      }
    }
  }

  // Adds the cookies of the command line to the storage, because a separate Cookie field would replace the stored cookies.
  private mutating func add(_ pairs: String, for urls: [String]) {
    for pair in pairs.split(separator: ";") {
      let parts = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      for host in Set(urls.compactMap { URLComponents(string: GivenURL($0).text)?.host }) {
        let cookie = TransferSession.Cookie(domain: host.lowercased(), name: String(parts[0]), value: String(parts[1]))
        storage.setCookie(cookie)
        typed.insert(cookie)
      }
    }
  }

  /// Writes the cookie jars.
  func save() throws(TransferResult.Problem) {
    let cookies = storage.cookies.filter { !typed.contains($0) }
    let text =
      (["# Netscape HTTP Cookie File", "# Written by xfer.", ""] + cookies.map(\.netscapeLine)).joined(separator: "\n") + "\n"
    // Cookies may hold login sessions, so only their owner may read the file.
    for path in Set(jars) { try OutputFile.put(text, at: path, mode: 0o600) }
  }
}
