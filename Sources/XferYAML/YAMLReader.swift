import CYAML

/// A YAML reader that returns a tree in which every value has its place in the file.
package enum YAMLReader {
  /// The maximum depth, which also ends recursive references.
  private static let depthLimit = 24
  /// The maximum number of values in a file. A value that is repeated by reference counts each time.
  private static let nodeLimit = 200_000

  /// Reads the only document of a file.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents, in UTF-8 or UTF-16.
  ///   - file: the file's name, for places.
  package static func read(_ bytes: some Collection<UInt8>, file: String) throws(YAMLError) -> YAMLNode {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { preconditionFailure("no memory for a YAML parser") }
    defer { yaml_parser_delete(&parser) }
    let outcome = Array(bytes).withUnsafeBufferPointer { bytes -> Result<YAMLNode, YAMLError> in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      do throws(YAMLError) { return .success(try document(&parser, file)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  private static func document(_ parser: inout yaml_parser_t, _ file: String) throws(YAMLError) -> YAMLNode {
    var document = yaml_document_t()
    guard yaml_parser_load(&parser, &document) == 1 else { throw problem(parser, file) }
    defer { yaml_document_delete(&document) }
    guard let root = yaml_document_get_root_node(&document) else {
      throw YAMLError(problem: .empty, place: SourcePlace(file: file, line: 1, column: 1))
    }
    var left = nodeLimit
    let tree = try node(root, &document, file, depth: 0, &left)
    var next = yaml_document_t()
    guard yaml_parser_load(&parser, &next) == 1 else { throw problem(parser, file) }
    defer { yaml_document_delete(&next) }
    if let second = yaml_document_get_root_node(&next) {
      throw YAMLError(problem: .secondDocument, place: place(second.pointee.start_mark, file))
    }
    return tree
  }

  private static func node(
    _ node: UnsafeMutablePointer<yaml_node_t>, _ document: inout yaml_document_t, _ file: String, depth: Int, _ left: inout Int
  ) throws(YAMLError) -> YAMLNode {
    let place = place(node.pointee.start_mark, file)
    left -= 1
    guard depth <= depthLimit else { throw YAMLError(problem: .tooDeep, place: place) }
    guard left >= 0 else { throw YAMLError(problem: .tooManyValues, place: place) }
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
      var lines: [String: Int] = [:]
      for pair in UnsafeBufferPointer(start: stack.start, count: stack.top - stack.start) {
        let key = try self.node(child(pair.key, &document), &document, file, depth: depth + 1, &left)
        let value = try self.node(child(pair.value, &document), &document, file, depth: depth + 1, &left)
        if let name = key.scalar, let first = lines.updateValue(key.place.line, forKey: name) {
          throw YAMLError(problem: .duplicateKey(name, firstLine: first), place: key.place)
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

  private static func problem(_ parser: yaml_parser_t, _ file: String) -> YAMLError {
    let cause = parser.problem.map { String(cString: $0) } ?? "out of memory"
    return YAMLError(problem: .invalid(cause), place: place(parser.problem_mark, file))
  }
}
