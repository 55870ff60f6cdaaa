#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pattern with the shell's `*`, `?` and `[…]`, for names and paths.
package struct GlobPattern: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

  /// Whether the whole name matches. A text without wildcards matches only itself.
  package func matches(_ name: String) -> Bool {
    Self.isPattern(text) ? fnmatch(text, name, 0) == 0 : text == name
  }

  /// Returns the existing paths that match, sorted.
  package static func paths(matching pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
