#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The shell's `*`, `?` and `[…]`, for names and for paths.
package struct GlobPattern: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

  /// Whether the whole name fits; a text without any of the signs fits only itself.
  package func matches(_ name: String) -> Bool {
    Self.isPattern(text) ? fnmatch(text, name, 0) == 0 : text == name
  }

  /// The paths that fit, sorted.
  package static func paths(matching pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
