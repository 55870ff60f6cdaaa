import XferYAML

/// The place where a setting's value was given.
enum SettingOrigin: Equatable, Sendable {
  /// An option of the command line, such as `--color`.
  case flag(String)
  /// An environment variable.
  case variable(String)
  case file(SourcePlace)
  case standard

  var text: String {
    switch self {
    case .flag(let name): "option \(name)"
    case .variable(let name): "environment variable \(name)"
    case .file(let place): "\(place.file):\(place.line)"
    case .standard: "default"
    }
  }

  /// The kind of place, as JSON documents name it.
  var kind: String {
    switch self {
    case .flag: "option"
    case .variable: "environment"
    case .file: "file"
    case .standard: "default"
    }
  }
}
