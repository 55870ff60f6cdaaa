#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells the logs on a command line from the statement, which stands last or comes from standard input.
struct StatementSource: Equatable {
  let logs: [String]
  /// `nil`: standard input has it.
  let statement: String?

  /// A statement is known by its blanks, brackets or semicolon, which the names of logs rarely have; what is there as a file
  /// is a log all the same.
  init(_ arguments: [String], exists: (String) -> Bool = { access($0, F_OK) == 0 }) {
    guard let last = arguments.last, last == "-" || last.contains(where: Self.isTelling) && !exists(last) else {
      logs = arguments
      statement = nil
      return
    }
    logs = arguments.dropLast()
    statement = last == "-" ? nil : last
  }

  private static func isTelling(_ character: Character) -> Bool { character.isWhitespace || "();".contains(character) }

  /// Longer ones are no statements.
  private static let limit = 1 << 20

  /// The statement itself.
  func text() throws -> String {
    if let statement { return statement }
    if logs.contains("-") { throw CommandExit(.wrongUsage, "standard input cannot be both the log and the statement") }
    if isatty(STDIN_FILENO) == 1 {
      throw CommandExit(.wrongUsage, "there is no statement; name one behind the logs, as 'SELECT * FROM tasks'")
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
      if bytes.count > Self.limit { throw CommandExit(.wrongUsage, "standard input has more than a statement's megabyte") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
