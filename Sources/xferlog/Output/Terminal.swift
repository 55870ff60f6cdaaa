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
  /// Whether the terminal understands control sequences, such as cursor movements.
  let understandsControls: Bool
  /// The width in columns, or `$COLUMNS` if the terminal does not report one.
  let columns: Int

  /// - Returns: `nil` if the descriptor is not a terminal.
  init?(_ descriptor: Int32, _ environment: [String: String]) {
    guard isatty(descriptor) == 1 else { return nil }
    understandsControls = environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
    let columns = Int(xp_terminal_columns(descriptor))
    self.columns = columns > 0 ? columns : environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }
}
