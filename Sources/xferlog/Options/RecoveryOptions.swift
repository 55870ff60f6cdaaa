public import ArgumentParser
public import XferLogStore

/// The option that decides how damaged logs are read.
struct RecoveryOptions: ParsableArguments {
  @Option(help: "How to read a damaged log.")
  var recovery: RecoveryMode = .tail
}

extension RecoveryMode: ExpressibleByArgument {
  // As in `ArgumentChoice`, to which this type cannot conform: it is public, and the list of the protocol is not.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  public static var allValueDescriptions: [String: String] {
    [
      "strict": "Reject a log that is not intact, and exit with 4.",
      "tail": "Report damage as a gap and continue with the next intact record.",
      "prefix": "Read only up to the first damage.",
      "salvage": "Like tail, but also find records whose file header or chunk header is lost.",
    ]
  }
}
