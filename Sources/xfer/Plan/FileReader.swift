import Foundation
import XferEngine

/// What a command line has read before anything is transferred.
struct FileReader {
  /// The whole file; `-` is standard input.
  func callAsFunction(_ path: String) throws(OptionProblem) -> [UInt8] {
    do {
      let data =
        path == "-" ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
      return Array(data)
    } catch {
      throw OptionProblem("\(path) cannot be read: \(error.localizedDescription)", exitCode: OptionProblem.cannotRead)
    }
  }

  /// `nil` when it is not there.
  func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Seconds since 1970; `nil` when it is not there.
  func modificationTime(_ path: String) -> Int? {
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    return date.map { Int($0.timeIntervalSince1970) }
  }

  /// Whether something is there that bytes are written into, and not put in the place of: a device, a pipe.
  func isSpecial(_ path: String) -> Bool { FileKind(path) == .special }

  /// - Parameter text: `USER:PASSWORD`; without a password the terminal is asked.
  func credential(_ text: String) throws(OptionProblem) -> TransferSession.Credential {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let user = String(parts[0])
    if parts.count == 2 { return .init(user: user, password: String(parts[1])) }
    guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password for \(user): ") else { return .init(user: user, password: "") }
    return .init(user: user, password: String(cString: typed))
  }
}

/// What there is at a path, links followed.
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
