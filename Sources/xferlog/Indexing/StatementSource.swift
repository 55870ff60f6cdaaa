import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The arguments of `xferlog sql`, separated into logs and a statement, which is the last or first argument or comes from standard input.
struct StatementSource: Equatable {
  let logs: [String]
  /// The statement; `nil` when it is read from standard input.
  let statement: String?

  /// Takes the last argument, or else the first, as a statement if it contains spaces, parentheses or a semicolon, which are rare in
  /// names of logs, and if no file of that name exists.
  init(_ arguments: [String], exists: (String) -> Bool = { access($0, F_OK) == 0 }) {
    func isStatement(_ argument: String) -> Bool { argument.contains(where: Self.suggestsStatement) && !exists(argument) }
    if let last = arguments.last, last == "-" || isStatement(last) {
      logs = arguments.dropLast()
      statement = last == "-" ? nil : last
    } else if let first = arguments.first, isStatement(first) {
      logs = Array(arguments.dropFirst())
      statement = first
    } else {
      logs = arguments
      statement = nil
    }
  }

  private static func suggestsStatement(_ character: Character) -> Bool { character.isWhitespace || "();".contains(character) }

  /// The maximum size of a statement in bytes.
  private static let limit = 1 << 20

  /// Returns the statement, read from standard input where necessary.
  func text() throws -> String {
    if let statement { return statement }
    if logs.contains("-") { throw CommandExit(.wrongUsage, "standard input cannot be both the log and the statement") }
    if isatty(STDIN_FILENO) == 1 {
      throw CommandExit(.wrongUsage, "there is no statement; give one after the logs, for example 'SELECT * FROM tasks'")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      try Interruption.check()
      let count = read(STDIN_FILENO, &piece, piece.count)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandExit(.failed, "standard input cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes += piece[..<count]
      if bytes.count > Self.limit { throw CommandExit(.wrongUsage, "the statement on standard input is larger than 1 MiB") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
