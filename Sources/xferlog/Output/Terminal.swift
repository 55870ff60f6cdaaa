import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal on which a command shows its results.
struct Terminal: Equatable, Sendable {
  /// The width in columns; `nil` if the terminal does not report it.
  let columns: Int?

  init(columns: Int?) { self.columns = columns }

  /// - Returns: `nil` if the descriptor is not a terminal.
  init?(_ descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    let columns = Int(xp_terminal_columns(descriptor))
    self.columns = columns > 0 ? columns : nil
  }
}
