/// A program that is asked what a case asks curl for.
struct CaseProgram: Sendable {
  /// A path, or a name for one built here.
  let name: String
  let dialect: Dialect

  enum Dialect: Sendable {
    /// curl's own command line, with what its test-suite adds.
    case curl
    /// The same options below a subcommand, and bodies only: nobody asks for heads but the case itself.
    case bodies(subcommand: String?)
  }

  static let curl = CaseProgram(name: "/usr/bin/curl", dialect: .curl)
  static let xfer = CaseProgram(name: "xfer", dialect: .bodies(subcommand: "request"))
}
