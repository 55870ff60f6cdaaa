internal import Yams

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Reading YAML
extension ScriptNode {
  init(contentsOf path: String) throws(ScriptError) {
    let yaml: String
    do {
      yaml = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } catch {
      throw ScriptError(
        code: .unreadable, place: path, problem: "the file cannot be read",
        advice: "Check that the file exists, that you may read it, and that it is UTF-8.")
    }
    try self.init(yaml: yaml, file: path)
  }

  init(yaml: String, file: String) throws(ScriptError) {
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw ScriptError(syntax: error, file: file)
    }
    guard let root else {
      throw ScriptError(code: .syntax, place: file, problem: "the script is empty", advice: "Write at least `routes:`.")
    }
    self.init(node: root, file: file, key: "")
  }

  /// Creates a mapping from values that do not come from a YAML file.
  init(pairs: [(key: String, value: String)], file: String) {
    self.init(
      node: .mapping(.init(pairs.map { (.scalar(.init($0.key)), .scalar(.init($0.value))) })), file: file, key: "")
  }
}

extension ScriptError {
  fileprivate init(syntax error: any Error, file: String) {
    self.init(
      code: .syntax, place: file, problem: "the text is not valid YAML",
      advice: "Indent with spaces, and quote values that contain `: ` or begin with a special character.")
    switch error as? YamlError {
    case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _), .composer(_, let text, let mark, _):
      place = "\(file):\(mark.line)"
      cause = text
    case .duplicatedKeysInMapping(let keys, let context):
      place = "\(file):\(context.mark.line)"
      problem = "the key `\(keys.first ?? "…")` appears twice"
      advice = "Keep one. To repeat a header field, give it a list of values."
    default: cause = "\(error)"
    }
  }
}
