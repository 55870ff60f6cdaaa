import CYAML

/// The events of libyaml's parser.
struct YAMLEvents: ~Copyable {
  struct Event {
    let content: Content
    /// The name by which an alias can refer to the value; `nil` for a value without an anchor.
    let anchor: String?
    let place: SourcePlace
  }

  enum Content: Equatable {
    case scalar(String, isPlain: Bool)
    /// The beginning of a list, which ends with `end`.
    case list
    /// The beginning of a mapping, which ends with `end`. Its keys and values alternate.
    case mapping
    /// A reference to the value with an anchor.
    case alias(String)
    case end
  }

  let file: String
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The parser refers to these bytes.
  private let input: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8], file: String) {
    self.file = file
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else { preconditionFailure("no memory for a YAML parser") }
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event of a value, or `nil` at the end of the file.
  mutating func next() throws(YAMLError) -> Event? {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
      defer { yaml_event_delete(&event) }
      let place = place(event.start_mark)
      switch event.type {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        return Event(
          content: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), anchor: name(scalar.anchor), place: place)
      case YAML_SEQUENCE_START_EVENT:
        return Event(content: .list, anchor: name(event.data.sequence_start.anchor), place: place)
      case YAML_MAPPING_START_EVENT:
        return Event(content: .mapping, anchor: name(event.data.mapping_start.anchor), place: place)
      case YAML_ALIAS_EVENT: return Event(content: .alias(name(event.data.alias.anchor) ?? ""), anchor: nil, place: place)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(content: .end, anchor: nil, place: place)
      // The end of the stream, and every event after it.
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
      default: continue
      }
    }
  }

  private func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String? { anchor.map { String(cString: $0) } }

  private func place(_ mark: yaml_mark_t) -> SourcePlace {
    SourcePlace(file: file, line: mark.line + 1, column: mark.column + 1)
  }

  private func problem() -> YAMLError {
    let cause = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    return YAMLError(problem: .invalid(cause), place: place(parser.pointee.problem_mark))
  }
}
