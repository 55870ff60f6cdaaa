import XferYAML

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Reading YAML
extension ScriptNode {
  init(contentsOf path: String) throws(ScriptError) { try self.init(yaml: Self.text(of: path), file: path) }

  /// Returns the text of a file.
  static func text(of path: String) throws(ScriptError) -> String {
    do {
      return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } catch {
      throw ScriptError(
        code: .unreadable, place: path, problem: "the file cannot be read",
        advice: "Check that the file exists, that you may read it, and that it is UTF-8.")
    }
  }

  init(yaml: String, file: String) throws(ScriptError) {
    do {
      self.init(node: try YAMLReader.read(yaml.utf8, file: file), key: "")
    } catch {
      throw ScriptError(error)
    }
  }

  /// Creates a mapping from values that do not come from a YAML file.
  init(pairs: [(key: String, value: String)], source: String) {
    let place = SourcePlace(file: source, line: 0, column: 0)
    let pairs = pairs.map { pair in
      (
        key: YAMLNode(content: .scalar(pair.key, isPlain: false), place: place),
        value: YAMLNode(content: .scalar(pair.value, isPlain: false), place: place)
      )
    }
    self.init(node: YAMLNode(content: .mapping(pairs), place: place), key: "")
  }
}

extension ScriptError {
  fileprivate init(_ error: YAMLError) {
    let advice =
      switch error.problem {
      case .empty: "Write at least `routes:`; in a scenario, `scenario:` and `steps:`."
      case .duplicateKey: "Keep one. To repeat a header field, give it a list of values."
      default: error.advice ?? ""
      }
    self.init(code: .syntax, place: "\(error.place)", problem: error.text, advice: advice)
  }
}
