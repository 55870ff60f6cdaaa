package import XferEvents

/// Finds the shape of a message.
package struct ShapeTable: Sendable {
  private struct Variant: Sendable {
    let shape: Int
    let tokens: [ShapePattern.Token]

    var firstByte: UInt8? {
      if case .literal(let literal)? = tokens.first { literal.first } else { nil }
    }
  }

  package let shapes: [AppleShape]
  /// The variants that follow the name of a task, and those at the beginning of a message, by their first byte.
  private var ofTasks = [[Variant]](repeating: [], count: 256)
  private var ofMessages = [[Variant]](repeating: [], count: 256)
  private var ofSessions: [Variant] = []
  private var anywhere: [Variant] = []

  package static let standard = ShapeTable(AppleShape.all)

  /// The number of bytes of a message that are searched.
  private static let searched = 1 << 16

  package init(_ shapes: [AppleShape]) {
    self.shapes = shapes
    // Shapes that yield to others are tried last.
    let order = shapes.indices.filter { shapes[$0].precedence.isEmpty } + shapes.indices.filter { !shapes[$0].precedence.isEmpty }
    for place in order {
      let pattern = ShapePattern(shapes[place].pattern)
      for tokens in pattern.variants {
        let variant = Variant(shape: place, tokens: tokens)
        let byte = Int(variant.firstByte ?? 0)
        switch pattern.start {
        case .task: ofTasks[byte].append(variant)
        case .session: ofSessions.append(variant)
        case .message: ofMessages[byte].append(variant)
        case .anywhere: anywhere.append(variant)
        }
      }
    }
  }

  /// Returns the shape of a message with what it captures; `nil` if it has no known shape.
  ///
  /// - Parameter process: the name of the process that wrote the message; `nil` if unknown.
  package func recognise(_ message: UnsafeRawBufferPointer, by process: String?) -> RecognisedMessage? {
    var found: RecognisedMessage?
    search(message, by: AppleShape.Emitter(process: process)) { result in
      found = result
      return false
    }
    return found
  }

  /// Returns the identifiers of all shapes that a message has, for tests of the table.
  package func allShapes(of message: UnsafeRawBufferPointer) -> Set<String> {
    var ids: Set<String> = []
    search(message, by: nil) { result in
      ids.insert(shapes[result.shape].id)
      return true
    }
    return ids
  }

  /// Calls `take` with each shape of the message until it returns `false`.
  private func search(_ message: UnsafeRawBufferPointer, by emitter: AppleShape.Emitter?, _ take: (RecognisedMessage) -> Bool) {
    let message = message.slice(0, Self.searched)
    guard searchBeginning(message, from: 0, emitter, take) else { return }
    // A category in brackets may precede the message.
    var scanner = ByteScanner(message)
    if scanner.take(0x5B), let word = scanner.take(until: 0x5D), word.count <= 40, scanner.take(0x20) {
      guard searchBeginning(message, from: scanner.place, emitter, take) else { return }
    } else if let place = message.first("Task <"), place > 0 {
      guard searchBeginning(message, from: place, emitter, take) else { return }
    }
    for variant in anywhere where shapes[variant.shape].emitter.includes(emitter) {
      guard case .literal(let literal)? = variant.tokens.first else { continue }
      var from = 0
      while let place = message.first(literal, from: from) {
        if let result = match(variant, message, at: place, Prefix()) {
          if !take(result) { return }
          break
        }
        from = place + 1
      }
    }
  }

  /// - Returns: whether to search on.
  private func searchBeginning(
    _ message: UnsafeRawBufferPointer, from start: Int, _ emitter: AppleShape.Emitter?, _ take: (RecognisedMessage) -> Bool
  ) -> Bool {
    var prefix = Prefix()
    if let place = prefix.takeTask(message, from: start) {
      guard place < message.count else { return true }
      for variant in ofTasks[Int(message[place])] where shapes[variant.shape].emitter.includes(emitter) {
        if let result = match(variant, message, at: place, prefix), !take(result) { return false }
      }
      return true
    }
    if let place = prefix.takeSession(message, from: start) {
      for variant in ofSessions where shapes[variant.shape].emitter.includes(emitter) {
        if let result = match(variant, message, at: place, prefix), !take(result) { return false }
      }
      // A shape that may stand anywhere can follow the name, too.
      return true
    }
    guard start < message.count else { return true }
    for variant in ofMessages[Int(message[start])] where shapes[variant.shape].emitter.includes(emitter) {
      if let result = match(variant, message, at: start, Prefix()), !take(result) { return false }
    }
    return true
  }

  private func match(
    _ variant: Variant, _ message: UnsafeRawBufferPointer, at place: Int, _ prefix: Prefix
  ) -> RecognisedMessage? {
    var match = ShapeMatch(variant.tokens, message)
    guard match.matches(at: place) else { return nil }
    var result = RecognisedMessage(shape: variant.shape)
    (result.task, result.number, result.session) = (prefix.task, prefix.number, prefix.session)
    for (name, range) in match.captures {
      let text = message.slice(range.lowerBound, range.upperBound)
      switch name {
      case "session":
        var scanner = ByteScanner(text)
        result.session = scanner.takeUUID().map { SessionUID(high: $0.high, low: $0.low) }
      default: result.texts.append((name, text.text))
      }
    }
    return result
  }

  /// The name of a task or session at the beginning of a message.
  private struct Prefix {
    var task: TaskUID?
    var number: UInt32?
    var session: SessionUID?

    /// Takes `Task <UUID>.<number> `, with a session or a stream in front of it.
    mutating func takeTask(_ message: UnsafeRawBufferPointer, from start: Int) -> Int? {
      var scanner = ByteScanner(message)
      scanner.move(to: start)
      var session: SessionUID?
      if scanner.take("NDSession <") {
        guard let uuid = scanner.takeUUID(), scanner.take("> ") else { return nil }
        session = SessionUID(high: uuid.high, low: uuid.low)
      } else if scanner.take("0x") {
        guard scanner.takeHexadecimal() != nil, scanner.take(" ID="), scanner.takeInteger() != nil, scanner.take(0x20) else {
          return nil
        }
      }
      guard scanner.take("Task <"), let uuid = scanner.takeUUID(), scanner.take(">.<"), let number = scanner.takeInteger(),
        scanner.take("> ")
      else { return nil }
      (task, self.number, self.session) = (TaskUID(high: uuid.high, low: uuid.low), UInt32(clamping: number), session)
      return scanner.place
    }

    mutating func takeSession(_ message: UnsafeRawBufferPointer, from start: Int) -> Int? {
      var scanner = ByteScanner(message)
      scanner.move(to: start)
      guard scanner.take("BackgroundSession <") || scanner.take("ProxySession <"), let uuid = scanner.takeUUID(),
        scanner.take("> ")
      else { return nil }
      session = SessionUID(high: uuid.high, low: uuid.low)
      return scanner.place
    }
  }
}

/// The UUID of a background session, which the app and the daemon have in common.
package struct SessionUID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// The form with 8-4-4-4-12 digits, in uppercase letters as the log has them.
  var text: String { "\(TaskUID(high: high, low: low))".uppercased() }
}

/// The shape of a message with its captures.
package struct RecognisedMessage: Sendable {
  /// The index of the shape in the table.
  package let shape: Int
  package var task: TaskUID?
  package var number: UInt32?
  package var session: SessionUID?
  package var texts: [(name: String, text: String)] = []

  init(shape: Int) { self.shape = shape }

  package func text(_ name: String) -> String? { texts.first { $0.name == name }?.text }
  func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }
}
