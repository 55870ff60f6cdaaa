/// A file of the repository that a job checks, with a line.
package struct RepositoryPlace: Sendable, Equatable {
  /// The path relative to the root of the repository, with `/` between its parts.
  package let file: String
  /// The line, counted from 1; `nil` for the whole file.
  package let line: Int?

  package init(file: String, line: Int?) { (self.file, self.line) = (file, line) }

  /// The path as a relative URI reference (RFC 3986).
  var uri: String {
    var uri = ""
    for byte in file.utf8 {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~/".utf8.contains(byte)
      if isPlain {
        uri.append(Character(Unicode.Scalar(byte)))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return uri
  }
}

/// The root of the repository and the working directory, both as absolute paths.
package struct RepositoryRoot: Sendable {
  private let root: [Substring]
  private let working: String

  package init(root: String, workingDirectory: String) {
    working = workingDirectory
    self.root = Self.parts(root)
  }

  /// Returns a path relative to the root. A file outside the repository is only named, because services reject other paths.
  package func relative(_ path: String) -> String {
    let parts = Self.parts(path.hasPrefix("/") ? path : working + "/" + path)
    if parts.count > root.count, parts.starts(with: root) { return parts.dropFirst(root.count).joined(separator: "/") }
    return parts.last.map(String.init) ?? "log"
  }

  /// Whether a path is a file below the root.
  package func contains(_ path: String) -> Bool {
    let parts = Self.parts(path.hasPrefix("/") ? path : working + "/" + path)
    return parts.count > root.count && parts.starts(with: root)
  }

  /// Returns the parts of an absolute path without `.` and `..`.
  private static func parts(_ path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { parts, part in
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
  }
}
