import Foundation
import XferEngine

/// Reads the files named on a command line before any transfer starts.
struct FileReader {
  /// Returns all bytes of a file, device or pipe. `-` means standard input.
  func callAsFunction(_ path: String) throws(OptionProblem) -> [UInt8] {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.problem(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &part, part.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += part[..<count]
      } else if errno != EINTR {
        throw Self.problem(path)
      }
    }
  }

  private static func problem(_ path: String) -> OptionProblem {
    let name = path == "-" ? "standard input" : path
    return OptionProblem("\(name) cannot be read: \(String(cString: strerror(errno)))", exitCode: OptionProblem.cannotRead)
  }

  /// Returns the text of a file, or `nil` when it cannot be read.
  func text(_ path: String) -> String? { (try? self(path)).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the modification time of a file in seconds since 1970, or `nil` when the file does not exist.
  func modificationTime(_ path: String) -> Int? {
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    return date.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded(.down)) }
  }

  /// Returns whether a path names a device or pipe, which is written to directly instead of being replaced.
  func isSpecial(_ path: String) -> Bool { FileKind(path) == .special }

  /// - Parameter text: `USER:PASSWORD`, or `USER` alone to ask for the password on the terminal.
  func credential(_ text: String) throws(OptionProblem) -> TransferSession.Credential {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let user = String(parts[0])
    if parts.count == 2 { return .init(user: user, password: String(parts[1])) }
    guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password for \(user): ") else { return .init(user: user, password: "") }
    return .init(user: user, password: String(cString: typed))
  }
}

/// The kind of file at a path, after following symbolic links.
enum FileKind {
  case nothing, regular, directory, special

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .special
    }
  }
}
