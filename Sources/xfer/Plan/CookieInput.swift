import Foundation
import XferEngine

/// The cookies that a command begins with and leaves.
struct CookieInput {
  let storage = TransferSession.CookieStorage()
  private let jars: [String]
  /// Those that somebody typed: they are sent and not kept.
  private var typed: Set<TransferSession.Cookie> = []

  /// Takes the cookies that the options name, and says which groups use them.
  ///
  /// - Returns: `nil` when there is nothing to keep.
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

  /// Netscape's lines, or the head of a response.
  private func load(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if let cookie = TransferSession.Cookie(netscapeLine: String(line)) {
        storage.setCookie(cookie)
      } else if line.lowercased().hasPrefix("set-cookie:") {
        storage.setCookie(headerLine: String(line))
      }
    }
  }

  /// A field of its own would keep those of the storage from being sent.
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

  /// Writes the jars.
  func save() throws(TransferResult.Problem) {
    let cookies = storage.cookies.filter { !typed.contains($0) }
    let text =
      (["# Netscape HTTP Cookie File", "# Written by xfer.", ""] + cookies.map(\.netscapeLine)).joined(separator: "\n") + "\n"
    // Cookies log people in: they are their owner's alone.
    for path in Set(jars) { try OutputFile.put(text, at: path, mode: 0o600) }
  }
}
