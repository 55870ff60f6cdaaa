package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the shape of a message.
///
/// Most messages have no known shape, so a message is first compared with the first literal of each shape, without reference counting.
// The memory behind the pointers is written in the initialiser only.
package final class ShapeTable: @unchecked Sendable {
  /// A sequence of tokens, with what its message must have.
  private struct Variant {
    let shape: Int
    let emitter: AppleShape.Emitter
    /// The index in `tokens`.
    let tokens: Int
    /// The literal with which the sequence begins.
    let literal: UnsafeRawBufferPointer
    /// The pairs of neighbouring bytes of the literal.
    let pairs: BytePairs
  }

  package let shapes: [AppleShape]
  private var tokens: [[ShapePattern.Token]] = []
  /// The variants that follow the name of a task, and those at the beginning of a message, by their first byte.
  private let ofTasks: UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>>
  private let ofMessages: UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>>
  private let ofSessions: UnsafeMutableBufferPointer<Variant>
  private let anywhere: UnsafeMutableBufferPointer<Variant>

  package static let standard = ShapeTable(AppleShape.all)

  /// The number of bytes of a message that are searched.
  private static let searched = 1 << 16
  /// The number of bytes of a captured text that are kept.
  private static let captured = 4096

  package init(_ shapes: [AppleShape]) {
    self.shapes = shapes
    var (tasks, messages) = ([[Variant]](repeating: [], count: 256), [[Variant]](repeating: [], count: 256))
    var (sessions, others): ([Variant], [Variant]) = ([], [])
    // Shapes that yield to others are tried last.
    let order = shapes.indices.filter { shapes[$0].precedence.isEmpty } + shapes.indices.filter { !shapes[$0].precedence.isEmpty }
    for place in order {
      let pattern = ShapePattern(shapes[place].pattern)
      for sequence in pattern.variants {
        var bytes: [UInt8] = []
        if case .literal(let literal)? = sequence.first { bytes = literal }
        let literal = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        literal.copyBytes(from: bytes)
        let variant = Variant(
          shape: place, emitter: shapes[place].emitter, tokens: tokens.count, literal: UnsafeRawBufferPointer(literal),
          pairs: BytePairs(UnsafeRawBufferPointer(literal)))
        tokens.append(sequence)
        let byte = Int(bytes.first ?? 0)
        switch pattern.start {
        case .task: tasks[byte].append(variant)
        case .session: sessions.append(variant)
        case .message: messages[byte].append(variant)
        // A sequence that begins with a place for text would match anything.
        case .anywhere: if bytes.isEmpty { literal.deallocate() } else { others.append(variant) }
        }
      }
    }
    func stored(_ variants: [Variant]) -> UnsafeMutableBufferPointer<Variant> {
      let memory = UnsafeMutableBufferPointer<Variant>.allocate(capacity: variants.count)
      _ = memory.initialize(from: variants)
      return memory
    }
    func stored(_ variants: [[Variant]]) -> UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>> {
      let memory = UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>>.allocate(capacity: variants.count)
      for (place, variants) in variants.enumerated() { (memory + place).initialize(to: stored(variants)) }
      return memory
    }
    (ofTasks, ofMessages, ofSessions, anywhere) = (stored(tasks), stored(messages), stored(sessions), stored(others))
  }

  deinit {
    for list in (0..<256).flatMap({ [ofTasks[$0], ofMessages[$0]] }) + [ofSessions, anywhere] {
      for variant in list { variant.literal.deallocate() }
      list.deallocate()
    }
    ofTasks.deallocate()
    ofMessages.deallocate()
  }

  /// Returns the shape of a message with what it captures; `nil` if it has no known shape.
  ///
  /// - Parameter process: the name of the process that wrote the message; `nil` if unknown.
  package func recognise(_ message: UnsafeRawBufferPointer, by process: String?) -> RecognisedMessage? {
    recognise(message, from: AppleShape.Emitter(process: process))
  }

  /// - Parameter emitter: the process that wrote the message; `nil` if unknown.
  func recognise(_ message: UnsafeRawBufferPointer, from emitter: AppleShape.Emitter?) -> RecognisedMessage? {
    var found: RecognisedMessage?
    search(message, by: emitter) { result in
      found = result
      return false
    }
    return found
  }

  /// Returns the identifiers of all shapes that a message has, for tests of the table.
  package func allShapes(of message: UnsafeRawBufferPointer) -> Set<String> {
    var ids: Set<String> = []
    search(message, by: AppleShape.Emitter?.none) { result in
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
    let pairs = BytePairs(message)
    for variant in anywhere where pairs.contain(variant.pairs) && variant.emitter.includes(emitter) {
      var from = 0
      while let place = message.first(variant.literal, from: from) {
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
      for variant in ofTasks[Int(message[place])]
      where message.has(variant.literal, at: place) && variant.emitter.includes(emitter) {
        if let result = match(variant, message, at: place, prefix), !take(result) { return false }
      }
      return true
    }
    if let place = prefix.takeSession(message, from: start) {
      for variant in ofSessions where message.has(variant.literal, at: place) && variant.emitter.includes(emitter) {
        if let result = match(variant, message, at: place, prefix), !take(result) { return false }
      }
      // A shape that may stand anywhere can follow the name, too.
      return true
    }
    guard start < message.count else { return true }
    for variant in ofMessages[Int(message[start])]
    where message.has(variant.literal, at: start) && variant.emitter.includes(emitter) {
      if let result = match(variant, message, at: start, Prefix()), !take(result) { return false }
    }
    return true
  }

  private func match(
    _ variant: Variant, _ message: UnsafeRawBufferPointer, at place: Int, _ prefix: Prefix
  ) -> RecognisedMessage? {
    var match = ShapeMatch(tokens[variant.tokens], message)
    guard match.matches(at: place) else { return nil }
    var result = RecognisedMessage(shape: variant.shape)
    (result.task, result.number, result.session) = (prefix.task, prefix.number, prefix.session)
    for (name, range) in match.captures {
      let text = message.slice(range.lowerBound, range.upperBound)
      switch name {
      case "session":
        var scanner = ByteScanner(text)
        result.session = scanner.takeUUID().map { SessionUID(high: $0.high, low: $0.low) }
      default: result.texts.append((name, text.slice(0, Self.captured).text))
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

/// The pairs of neighbouring bytes that a text has, as a set with collisions.
private struct BytePairs {
  private var bits = SIMD4<UInt64>.zero

  init(_ text: UnsafeRawBufferPointer) {
    var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var last: UInt8 = 0
    for (place, byte) in text.enumerated() {
      defer { last = byte }
      guard place > 0 else { continue }
      let hash = last &* 37 &+ byte
      let bit: UInt64 = 1 << UInt64(hash & 63)
      switch hash >> 6 {
      case 0: first |= bit
      case 1: second |= bit
      case 2: third |= bit
      default: fourth |= bit
      }
    }
    bits = SIMD4(first, second, third, fourth)
  }

  func contain(_ others: BytePairs) -> Bool { others.bits & ~bits == .zero }
}

extension UnsafeRawBufferPointer {
  fileprivate func has(_ literal: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let base = baseAddress, let start = literal.baseAddress else { return literal.isEmpty }
    return place + literal.count <= count && memcmp(base + place, start, literal.count) == 0
  }
}
