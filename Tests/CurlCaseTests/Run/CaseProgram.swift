import LogTestSupport

/// A program that is asked what a case asks curl for.
struct CaseProgram: Sendable {
  /// A path, or a name for one built here.
  let name: String
  let dialect: Dialect
  /// Features of cases that it was built without.
  var missingFeatures: Set<String> = []

  enum Dialect: Sendable {
    /// curl's own command line, with what its test-suite adds.
    case curl
    /// The same options below a subcommand, and bodies only: nobody asks for heads but the case itself.
    case bodies(subcommand: String?)
  }

  static let xfer = CaseProgram(name: "xfer", dialect: .bodies(subcommand: "request"))

  static func curl(_ dialect: Dialect) throws -> CaseProgram {
    let name = "/usr/bin/curl"
    let hasIPFS = try ToolRun(name, ["--version"]).text.contains(" ipfs ")
    return CaseProgram(name: name, dialect: dialect, missingFeatures: hasIPFS ? [] : ["ipfs"])
  }
}
