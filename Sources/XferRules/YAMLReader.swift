import CYAML

/// A YAML reader that returns a tree in which every value has its place in the file.
enum YAMLReader {
  /// The maximum depth, which also ends recursive references.
  private static let depthLimit = 24
  /// The maximum number of values in a file. A value that is repeated by reference counts each time.
  private static let nodeLimit = 200_000

  static func read(_ bytes: [UInt8], file: String) throws(RuleError) -> YAMLNode {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { preconditionFailure("no memory for a YAML parser") }
    defer { yaml_parser_delete(&parser) }
    let outcome = bytes.withUnsafeBufferPointer { bytes -> Result<YAMLNode, RuleError> in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      do throws(RuleError) { return .success(try document(&parser, file)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  private static func document(_ parser: inout yaml_parser_t, _ file: String) throws(RuleError) -> YAMLNode {
    var document = yaml_document_t()
    guard yaml_parser_load(&parser, &document) == 1 else { throw problem(parser, file) }
    defer { yaml_document_delete(&document) }
    guard let root = yaml_document_get_root_node(&document) else {
      throw RuleError(
        code: .syntax, place: SourcePlace(file: file, line: 1, column: 1), problem: "the file is empty",
        advice: "Write at least `rules:` or `limits:`.")
    }
    var left = nodeLimit
    let tree = try node(root, &document, file, depth: 0, &left)
    var next = yaml_document_t()
    guard yaml_parser_load(&parser, &next) == 1 else { throw problem(parser, file) }
    defer { yaml_document_delete(&next) }
    if let second = yaml_document_get_root_node(&next) {
      throw RuleError(
        code: .syntax, place: place(second.pointee.start_mark, file), problem: "the file has a second YAML document",
        advice: "Write one document per file. `rules:` may list any number of rules.")
    }
    return tree
  }

  private static func node(
    _ node: UnsafeMutablePointer<yaml_node_t>, _ document: inout yaml_document_t, _ file: String, depth: Int, _ left: inout Int
  ) throws(RuleError) -> YAMLNode {
    let place = place(node.pointee.start_mark, file)
    left -= 1
    if depth > depthLimit || left < 0 {
      throw RuleError(
        code: .syntax, place: place,
        problem: depth > depthLimit ? "the value is nested too deeply" : "the file has too many values",
        advice: "Do not let a value contain a reference to itself.")
    }
    switch node.pointee.type {
    case YAML_SCALAR_NODE:
      let scalar = node.pointee.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return YAMLNode(content: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), place: place)
    case YAML_SEQUENCE_NODE:
      let items = node.pointee.data.sequence.items
      var members: [YAMLNode] = []
      for item in UnsafeBufferPointer(start: items.start, count: items.top - items.start) {
        members.append(try self.node(child(item, &document), &document, file, depth: depth + 1, &left))
      }
      return YAMLNode(content: .list(members), place: place)
    default:
      let stack = node.pointee.data.mapping.pairs
      var pairs: [(key: YAMLNode, value: YAMLNode)] = []
      for pair in UnsafeBufferPointer(start: stack.start, count: stack.top - stack.start) {
        let key = try self.node(child(pair.key, &document), &document, file, depth: depth + 1, &left)
        let value = try self.node(child(pair.value, &document), &document, file, depth: depth + 1, &left)
        if let name = key.scalar, let first = pairs.first(where: { $0.key.scalar == name }) {
          throw key.failure(.syntax, "duplicate key `\(name)`, first in line \(first.key.place.line)", "Keep one of them.")
        }
        pairs.append((key, value))
      }
      return YAMLNode(content: .mapping(pairs), place: place)
    }
  }

  private static func child(_ index: Int32, _ document: inout yaml_document_t) -> UnsafeMutablePointer<yaml_node_t> {
    guard let node = yaml_document_get_node(&document, index) else { preconditionFailure("a document contains its own nodes") }
    return node
  }

  private static func place(_ mark: yaml_mark_t, _ file: String) -> SourcePlace {
    SourcePlace(file: file, line: mark.line + 1, column: mark.column + 1)
  }

  private static func problem(_ parser: yaml_parser_t, _ file: String) -> RuleError {
    let cause = parser.problem.map { String(cString: $0) } ?? "out of memory"
    return RuleError(
      code: .syntax, place: place(parser.problem_mark, file), problem: "invalid YAML: \(cause)",
      advice: "Indent with spaces, and quote values that contain `: ` or begin with a special character.")
  }
}
