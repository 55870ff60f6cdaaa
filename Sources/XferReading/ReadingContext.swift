package import XferImport

/// What the reading of logs needs of its process, except for files.
package protocol ReadingContext: Sendable {
  /// The environment without empty variables.
  var environment: [String: String] { get }
  /// The importers for inputs that are not logs.
  var importers: [any EventImporter] { get }
  /// What the user knows about foreign inputs.
  var importOptions: ImportOptions { get }
  /// The descriptor from which the input `-` is read.
  var input: Int32 { get }

  /// Tells the user about an input that is left out, or is read in another way than expected.
  func remark(_ message: UserMessage)

  /// Returns a message about an argument that names no input.
  func absence(of argument: String) -> UserMessage
}

/// Which results count as success, although nothing could be judged.
package protocol OutcomePolicy {
  /// Whether an incomplete input is a failure.
  var strict: Bool { get }
  /// Whether an input without events is a success.
  var allowEmpty: Bool { get }
}
