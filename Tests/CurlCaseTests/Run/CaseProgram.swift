import LogTestSupport

/// A program that runs curl's test cases.
struct CaseProgram: Sendable {
  /// The program's path, or the name of a product of this package.
  let name: String
  let dialect: Dialect
  /// Features that cases may require and the program was built without.
  var missingFeatures: Set<String> = []

  enum Dialect: Sendable {
    /// curl's own command line, with the arguments that curl's test suite adds.
    case curl
    /// The same options below a subcommand. Response heads are printed only if the case asks for them.
    case bodies(subcommand: String?)
  }

  static let xfer = CaseProgram(name: "xfer", dialect: .bodies(subcommand: "request"))

  static func curl(_ dialect: Dialect) throws -> CaseProgram {
    let name = "/usr/bin/curl"
    let hasIPFS = try ToolRun(name, ["--version"]).text.contains(" ipfs ")
    return CaseProgram(name: name, dialect: dialect, missingFeatures: hasIPFS ? [] : ["ipfs"])
  }
}
