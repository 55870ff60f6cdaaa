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
/// Most messages have no known shape. A message is first compared with the literals with which shapes begin, without reference counting.
// The memory behind the pointers is written in the initialiser only.
package final class ShapeTable: @unchecked Sendable {
  /// A sequence of tokens, with what its message must have.
  private struct Variant {
    let shape: Int
    let emitter: AppleShape.Emitter
    /// The literal with which the sequence begins.
    let literal: UnsafeRawBufferPointer
    let steps: UnsafeBufferPointer<ShapeProgram.Step>
  }

  package let shapes: [AppleShape]
  /// The meaning of each shape, by the shape's index.
  let meanings: [AppleShape.Meaning]
  private let programs: [ShapeProgram]
  /// The variants that follow the name of a task, and those at the beginning of a message, by their first byte.
  private let ofTasks: UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>>
  private let ofMessages: UnsafeMutablePointer<UnsafeMutableBufferPointer<Variant>>
  private let ofSessions: UnsafeMutableBufferPointer<Variant>
  /// The second bytes with which variants in `ofMessages` begin, as a set of bits by their remainders of 64, by the first byte.
  private let secondBytes: UnsafeMutablePointer<UInt64>
  /// The variants that may stand anywhere in a message.
  private let anywhere: UnsafeMutableBufferPointer<Variant>
  /// Each finder searches for the literals of one emitter's variants in `anywhere`. The last finder is for an unknown emitter.
  /// References to them are not counted during a search.
  private let finders: [Unmanaged<LiteralFinder>]

  package static let standard = ShapeTable(AppleShape.all)

  /// The number of bytes of a message that are searched.
  private static let searched = ShapeCaptures.limit

  package init(_ shapes: [AppleShape]) {
    self.shapes = shapes
    meanings = shapes.map(\.meaning)
    var (tasks, messages) = ([[Variant]](repeating: [], count: 256), [[Variant]](repeating: [], count: 256))
    var (sessions, others): ([Variant], [Variant]) = ([], [])
    var programs: [ShapeProgram] = []
    // Shapes that yield to others are tried last.
    let order = shapes.indices.filter { shapes[$0].precedence.isEmpty } + shapes.indices.filter { !shapes[$0].precedence.isEmpty }
    for place in order {
      let pattern = ShapePattern(shapes[place].pattern)
      for sequence in pattern.variants {
        let program = ShapeProgram(sequence) { CaptureName($0)?.rawValue }
        programs.append(program)
        let variant = Variant(
          shape: place, emitter: shapes[place].emitter, literal: program.literal, steps: program.steps)
        let byte = Int(program.literal.first ?? 0)
        switch pattern.start {
        case .task: tasks[byte].append(variant)
        case .session: sessions.append(variant)
        case .message: messages[byte].append(variant)
        // A sequence that begins with a place for text would match anything.
        case .anywhere: if program.literal.count >= 2, others.count < LiteralFinder.Found.limit { others.append(variant) }
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
    secondBytes = .allocate(capacity: 256)
    for (first, variants) in messages.enumerated() {
      let bits = variants.map { $0.literal.count > 1 ? 1 << UInt64($0.literal[1] & 63) : UInt64.max }
      (secondBytes + first).initialize(to: bits.reduce(0, |))
    }
    self.programs = programs
    finders = (AppleShape.Emitter.allCases.map(Optional.some) + [nil]).map { emitter in
      .passRetained(
        LiteralFinder(
          others.enumerated().filter { $0.element.emitter.includes(emitter) }.map { ($0.element.literal, $0.offset) }))
    }
  }

  deinit {
    for list in (0..<256).flatMap({ [ofTasks[$0], ofMessages[$0]] }) + [ofSessions, anywhere] { list.deallocate() }
    ofTasks.deallocate()
    ofMessages.deallocate()
    secondBytes.deallocate()
    for finder in finders { finder.release() }
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
    } else if let place = message.firstTask, place > 0 {
      guard searchBeginning(message, from: place, emitter, take) else { return }
    }
    let finder = finders[emitter.map { Int($0.rawValue) } ?? finders.count - 1]
    let found = finder._withUnsafeGuaranteedRef { $0.find(in: message) }
    if found.isEmpty { return }
    for (number, variant) in anywhere.enumerated() where found.contains(number) {
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
    guard start < message.count else { return true }
    guard Prefix.mayBegin(with: message[start]) else { return searchWithoutPrefix(message, from: start, emitter, take) }
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
    return searchWithoutPrefix(message, from: start, emitter, take)
  }

  private func searchWithoutPrefix(
    _ message: UnsafeRawBufferPointer, from start: Int, _ emitter: AppleShape.Emitter?, _ take: (RecognisedMessage) -> Bool
  ) -> Bool {
    let first = Int(message[start])
    if start + 1 < message.count, secondBytes[first] >> UInt64(message[start + 1] & 63) & 1 == 0 { return true }
    for variant in ofMessages[first]
    where message.has(variant.literal, at: start) && variant.emitter.includes(emitter) {
      if let result = match(variant, message, at: start, Prefix()), !take(result) { return false }
    }
    return true
  }

  private func match(
    _ variant: Variant, _ message: UnsafeRawBufferPointer, at place: Int, _ prefix: Prefix
  ) -> RecognisedMessage? {
    var match = ShapeMatch(variant.steps, message)
    guard match.matches(at: place) else { return nil }
    var result = RecognisedMessage(shape: variant.shape)
    (result.task, result.number, result.session, result.captures) = (prefix.task, prefix.number, prefix.session, match.captures)
    result.start = UInt16(clamping: place)
    if let range = match.captures.range(CaptureName.session.rawValue) {
      var scanner = ByteScanner(message.slice(range.lowerBound, range.upperBound))
      result.session = scanner.takeUUID().map { SessionUID(high: $0.high, low: $0.low) }
    }
    if let range = match.captures.range(CaptureName.failed.rawValue) {
      var scanner = ByteScanner(message.slice(range.lowerBound, range.upperBound))
      result.task = scanner.takeUUID().map { TaskUID(high: $0.high, low: $0.low) }
      let number = match.captures.range(CaptureName.failedNumber.rawValue)
      result.number = number.flatMap {
        var digits = ByteScanner(message.slice($0.lowerBound, $0.upperBound))
        return digits.takeInteger().map { UInt32(clamping: $0) }
      }
      if result.task == nil { return nil }
    }
    return result
  }

  /// The name of a task or session at the beginning of a message.
  private struct Prefix {
    var task: TaskUID?
    var number: UInt32?
    var session: SessionUID?

    /// Whether a name may begin with a byte: one of `Task <`, `NDSession <`, `0x`, `BackgroundSession <` and `ProxySession <`.
    @inline(__always)
    static func mayBegin(with byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "T"), UInt8(ascii: "N"), UInt8(ascii: "0"), UInt8(ascii: "B"), UInt8(ascii: "P"): true
      default: false
      }
    }

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
      guard scanner.take("Task <") else { return nil }
      let uid: TaskUID
      var number: Int64? = 0
      if let uuid = scanner.takeUUID() {
        uid = TaskUID(high: uuid.high, low: uuid.low)
        guard scanner.take(">.<") else { return nil }
        number = scanner.takeInteger()
      } else {
        guard let hidden = Self.takeHiddenTask(&scanner) else { return nil }
        uid = hidden
        if scanner.take(">.<") { number = scanner.takeInteger() }
      }
      guard let number, scanner.take("> ") else { return nil }
      (task, self.number, self.session) = (uid, UInt32(clamping: number), session)
      return scanner.place
    }

    /// Takes the text before the next `>` in place of an identifier: people hide and shorten identifiers before they publish a log.
    private static func takeHidden(_ scanner: inout ByteScanner) -> UnsafeRawBufferPointer? {
      let rest = scanner.bytes.slice(scanner.place, scanner.place + longestHidden)
      guard let end = rest.first(0x3E, from: 0) else { return nil }
      scanner.move(to: scanner.place + end)
      return rest.slice(0, end)
    }

    /// Takes a hidden identifier of a task, such as `...` or `6DF84C44-…`. Tasks with the same text count as one.
    private static func takeHiddenTask(_ scanner: inout ByteScanner) -> TaskUID? {
      guard let text = takeHidden(&scanner), text.first("...") != nil || text.first("…") != nil else { return nil }
      var hash = NameHash()
      hash.add(text.text)
      return TaskUID(high: hash.value, low: 0)
    }

    private static let longestHidden = 40

    mutating func takeSession(_ message: UnsafeRawBufferPointer, from start: Int) -> Int? {
      var scanner = ByteScanner(message)
      scanner.move(to: start)
      guard scanner.take("BackgroundSession <") || scanner.take("ProxySession <") else { return nil }
      if let uuid = scanner.takeUUID() {
        session = SessionUID(high: uuid.high, low: uuid.low)
      } else if Self.takeHidden(&scanner) == nil {
        return nil
      }
      return scanner.take("> ") ? scanner.place : nil
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

extension UnsafeRawBufferPointer {
  /// The index of the first `Task <`. Messages have fewer brackets than capital letters.
  fileprivate var firstTask: Int? {
    var from = 5
    while let bracket = first(0x3C, from: from) {
      if hasLiteral("Task ", at: bracket - 5) { return bracket - 5 }
      from = bracket + 1
    }
    return nil
  }
}

/// The shape of a message, with the places of what it captures.
package struct RecognisedMessage: Sendable {
  /// The index of the shape in the table.
  package let shape: Int
  package var task: TaskUID?
  package var number: UInt32?
  package var session: SessionUID?
  package var captures = ShapeCaptures()
  /// The place in the message at which the shape's text begins.
  package var start: UInt16 = 0

  init(shape: Int) { self.shape = shape }

  /// Returns the place of a captured text; `nil` if the message has none of this name.
  func range(_ name: CaptureName) -> Range<Int>? { captures.range(name.rawValue) }
}

/// The names of texts that patterns capture. Texts with other names are passed over.
enum CaptureName: UInt8, CaseIterable {
  case session, ident, conn, end, kv, code, dom, sub, status, got, exp, ok, down, received, sent, posix, file, err, target,
    reason, pid
  case proc, id, name, watchdog, failed, failedNumber

  init?(_ name: String) {
    switch name {
    case "session": self = .session
    case "ident": self = .ident
    case "conn": self = .conn
    case "end": self = .end
    case "kv": self = .kv
    case "code": self = .code
    case "dom": self = .dom
    case "sub": self = .sub
    case "status": self = .status
    case "got": self = .got
    case "exp": self = .exp
    case "ok": self = .ok
    case "down": self = .down
    case "rx": self = .received
    case "tx": self = .sent
    case "posix": self = .posix
    case "file": self = .file
    case "err": self = .err
    case "target": self = .target
    case "reason": self = .reason
    case "pid": self = .pid
    case "proc": self = .proc
    case "id": self = .id
    case "name": self = .name
    case "wd": self = .watchdog
    case "failed": self = .failed
    case "failedNumber": self = .failedNumber
    default: return nil
    }
  }
}
