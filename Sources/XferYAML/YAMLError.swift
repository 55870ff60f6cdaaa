/// An error in the YAML of a file.
package struct YAMLError: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    case empty
    /// The bytes are not YAML, for the reason that libyaml gives.
    case invalid(String)
    /// The file has a second YAML document.
    case secondDocument
    case duplicateKey(String, firstLine: Int)
    case tooDeep
    case tooManyValues
  }

  package let problem: Problem
  package let place: SourcePlace
}

extension YAMLError {
  /// What is wrong, as a clause without its place.
  package var text: String {
    switch problem {
    case .empty: "the file is empty"
    case .invalid(let cause): "invalid YAML: \(cause)"
    case .secondDocument: "the file has a second YAML document"
    case .duplicateKey(let key, let line): "duplicate key `\(key)`, first in line \(line)"
    case .tooDeep: "the value is nested too deeply"
    case .tooManyValues: "the file has too many values"
    }
  }

  /// How to correct the error. `nil` for an empty file, whose caller knows which keys it must have.
  package var advice: String? {
    switch problem {
    case .empty: nil
    case .invalid: "Indent with spaces, and quote values that contain `: ` or begin with a special character."
    case .secondDocument: "Write one document per file."
    case .duplicateKey: "Keep one of them."
    case .tooDeep, .tooManyValues: "Do not let a value contain a reference to itself."
    }
  }
}
