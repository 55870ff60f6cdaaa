package import XferEvents

extension RecordedMessage {
  /// The text with its arguments inserted. Control characters are not escaped.
  ///
  /// Named arguments, and arguments whose placeholder was truncated, follow the text.
  package var text: String {
    var text = ""
    var arguments = arguments.makeIterator()
    var pending = arguments.next()
    /// The arguments that follow the text. A placeholder never stands for an argument with a name.
    var behind: [RecordedArgument] = []
    func nextInText() -> RecordedArgument? {
      while let argument = pending {
        pending = arguments.next()
        if argument.name == nil { return argument }
        behind.append(argument)
      }
      return nil
    }
    for part in MessageParts(format ?? RecordedValue.unreadable.text) {
      switch part {
      case .literal(let literal): text += literal
      case .place: text += nextInText()?.text ?? "<missing>"
      }
    }
    while let argument = pending {
      behind.append(argument)
      pending = arguments.next()
    }
    for argument in behind {
      if !text.isEmpty { text += " " }
      text += argument.name.map { "\($0)=\(argument.text)" } ?? argument.text
    }
    return text
  }
}

/// The literal text of a message, split at its placeholders.
struct MessageParts: Sequence, IteratorProtocol {
  enum Part {
    case literal(Substring)
    case place
  }

  private var rest: Substring

  init(_ format: String) { rest = format[...] }

  mutating func next() -> Part? {
    guard let first = rest.first else { return nil }
    guard first == "{" || first == "}" else {
      let literal = rest.prefix { $0 != "{" && $0 != "}" }
      rest = rest[literal.endIndex...]
      return .literal(literal)
    }
    let second = rest.dropFirst().first
    if first == "{", second == "}" {
      rest = rest.dropFirst(2)
      return .place
    }
    let literal = rest.prefix(1)
    // An escaped brace, or a brace at which the text was truncated.
    rest = rest.dropFirst(second == first ? 2 : 1)
    return .literal(literal)
  }
}
