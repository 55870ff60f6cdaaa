internal import Yams

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Where nodes come from.
extension ScriptNode {
  init(contentsOf path: String) throws(ScriptError) {
    let yaml: String
    do {
      yaml = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } catch {
      throw ScriptError(
        code: .unreadable, place: path, problem: "the script cannot be read",
        advice: "Name a file that exists, that you may read, and that is UTF-8.")
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

  /// A mapping that was written elsewhere.
  init(pairs: [(key: String, value: String)], file: String) {
    self.init(
      node: .mapping(.init(pairs.map { (.scalar(.init($0.key)), .scalar(.init($0.value))) })), file: file, key: "")
  }
}

extension ScriptError {
  fileprivate init(syntax error: any Error, file: String) {
    self.init(
      code: .syntax, place: file, problem: "this is not YAML",
      advice: "Indent with spaces, and quote values that contain `: ` or begin with a special character.")
    switch error as? YamlError {
    case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _), .composer(_, let text, let mark, _):
      place = "\(file):\(mark.line)"
      cause = text
    case .duplicatedKeysInMapping(let keys, let context):
      place = "\(file):\(context.mark.line)"
      problem = "the key `\(keys.first ?? "…")` is there twice"
      advice = "Keep one; in `headers`, repeat a field with a list of values."
    default: cause = "\(error)"
    }
  }
}
