package import XferEvents

/// A generator of values for the fields of an event, which keeps the values that a reader must return.
package struct FieldChooser {
  /// A choice of optional fields to set, by their position in reading order.
  package enum Pattern: Sendable, CaseIterable {
    case all, requiredOnly, alternating, otherHalf, random
  }

  private let pattern: Pattern
  private var random: SeededRandom
  private let fixedText: String?
  private let fixedSymbol: String?
  private var position = 0
  package private(set) var expected: [(name: String, value: RecordedValue)] = []

  /// - Parameters:
  ///   - text: The value of every text field. `nil` means random texts.
  ///   - symbol: The value of every symbol and the name of every session. `nil` means random texts and two sessions.
  package init(_ pattern: Pattern, seed: UInt64, text: String? = nil, symbol: String? = nil) {
    self.pattern = pattern
    fixedText = text
    fixedSymbol = symbol
    random = SeededRandom(seed: seed)
  }

  private mutating func draw<Value>(
    _ field: FieldID, _ isRequired: Bool, _ make: (inout SeededRandom) -> (Value, RecordedValue)
  ) -> Value? {
    defer { position += 1 }
    let isSet =
      switch pattern {
      case .all: true
      case .requiredOnly: false
      case .alternating: position % 2 == 0
      case .otherHalf: position % 2 == 1
      case .random: Bool.random(using: &random)
      }
    guard isSet || isRequired else { return nil }
    let (value, recorded) = make(&random)
    expected.append((field.definition.name, recorded))
    return value
  }

  private static func identity(_ random: inout SeededRandom, session: String?) -> TaskIdentity {
    // Use few tasks, so that task numbers are reused.
    let which = UInt32.random(in: 1...5, using: &random)
    let uid = TaskUID(high: 7, low: UInt64(which) &* 0x9e37_79b9_7f4a_7c15)
    return TaskIdentity(uid: uid, session: session ?? "session \(which % 2)", number: which)
  }

  /// Returns a random word, sometimes an extreme value.
  private static func word(_ random: inout SeededRandom) -> UInt64 {
    switch random.next() % 6 {
    case 0: 0
    case 1: .max
    case 2: 1 << 63
    default: random.next()
    }
  }

  package mutating func task(_ field: FieldID, isRequired: Bool = false) -> TaskIdentity? {
    let session = fixedSymbol
    return draw(field, isRequired) { random in
      let task = Self.identity(&random, session: session)
      return (task, .task(task))
    }
  }

  package mutating func tasks(_ field: FieldID, isRequired: Bool = false) -> [TaskIdentity]? {
    let session = fixedSymbol
    return draw(field, isRequired) { random in
      let tasks = (0..<Int.random(in: 0...7, using: &random)).map { _ in Self.identity(&random, session: session) }
      return (tasks, .tasks(tasks))
    }
  }

  package mutating func launch(_ field: FieldID, isRequired: Bool = false) -> LaunchID? {
    draw(field, isRequired) { random in
      let launch = LaunchID(high: Self.word(&random), low: Self.word(&random))
      return (launch, .launch(launch))
    }
  }

  package mutating func boot(_ field: FieldID, isRequired: Bool = false) -> BootID? {
    draw(field, isRequired) { random in
      let boot = BootID(high: Self.word(&random), low: Self.word(&random))
      return (boot, .boot(boot))
    }
  }

  private mutating func identifier<Value>(_ field: FieldID, _ isRequired: Bool, _ make: (UInt64) -> Value) -> Value? {
    draw(field, isRequired) { random in
      let word = Self.word(&random)
      return (make(word), .identifier(word))
    }
  }

  package mutating func delivery(_ field: FieldID, isRequired: Bool = false) -> DeliveryID? {
    identifier(field, isRequired, DeliveryID.init)
  }

  package mutating func handler(_ field: FieldID, isRequired: Bool = false) -> HandlerID? {
    identifier(field, isRequired, HandlerID.init)
  }

  package mutating func correlation(_ field: FieldID, isRequired: Bool = false) -> CorrelationID? {
    identifier(field, isRequired, CorrelationID.init)
  }

  package mutating func digest(_ field: FieldID, isRequired: Bool = false) -> ValueDigest? {
    draw(field, isRequired) { random in
      let word = Self.word(&random)
      return (ValueDigest(word), .digest(word))
    }
  }

  package mutating func bytes(_ field: FieldID, isRequired: Bool = false) -> Int64? {
    draw(field, isRequired) { random in
      let value = Int64(bitPattern: Self.word(&random))
      return (value, .bytes(value))
    }
  }

  package mutating func count(_ field: FieldID, isRequired: Bool = false) -> Int64? {
    draw(field, isRequired) { random in
      let value = Int64(bitPattern: Self.word(&random))
      return (value, .integer(value))
    }
  }

  package mutating func duration(_ field: FieldID, isRequired: Bool = false) -> Duration? {
    draw(field, isRequired) { random in
      let value = Duration.nanoseconds(Int64(bitPattern: Self.word(&random)))
      return (value, .duration(value))
    }
  }

  package mutating func wallTime(_ field: FieldID, isRequired: Bool = false) -> WallTime? {
    draw(field, isRequired) { random in
      let value = WallTime(nanoseconds: Int64(bitPattern: Self.word(&random)))
      return (value, .time(value))
    }
  }

  package mutating func number(_ field: FieldID, isRequired: Bool = false) -> Int? {
    draw(field, isRequired) { random in
      let word = Self.word(&random)
      // Values that do not fit into 32 bits are clamped.
      let value = word % 4 == 0 ? Int(Int64(bitPattern: word)) : Int(Int32(truncatingIfNeeded: word))
      return (value, .integer(Int64(Int32(clamping: value))))
    }
  }

  package mutating func flag(_ field: FieldID, isRequired: Bool = false) -> Bool? {
    draw(field, isRequired) { random in
      let value = Bool.random(using: &random)
      return (value, .flag(value))
    }
  }

  package mutating func choice<Choice: CaseIterable & RawRepresentable<UInt8>>(
    _ field: FieldID, isRequired: Bool = false
  ) -> Choice? {
    draw(field, isRequired) { random in
      let value = Choice.allCases.randomElement(using: &random)!
      guard case .choice(let name) = field.type,
        let definition = Vocabulary.choices.first(where: { $0.name == name })
      else { preconditionFailure("\(field) has no choices") }
      return (value, .choice(definition.cases[Int(value.rawValue)].name))
    }
  }

  package mutating func symbol(_ field: FieldID, isRequired: Bool = false) -> String? {
    let fixed = fixedSymbol
    return draw(field, isRequired) { random in
      let text = fixed ?? random.text(characters: Int.random(in: 0...20, using: &random))
      return (text, .text(.plain(text)))
    }
  }

  package mutating func text(_ field: FieldID, isRequired: Bool = false) -> String? {
    let fixed = fixedText
    return draw(field, isRequired) { random in
      let text = fixed ?? random.text(characters: Int.random(in: 0...60, using: &random))
      return (text, .text(.plain(text)))
    }
  }

  mutating func message(_ field: FieldID, isRequired: Bool = false) -> LogMessage? {
    let fixed = fixedText
    return draw(field, isRequired) { random in
      let text = fixed ?? random.text(characters: Int.random(in: 0...60, using: &random))
      let (word, number) = (Self.word(&random), Double(bitPattern: Self.word(&random) & ~(1 << 62)))
      let flag = Bool.random(using: &random)
      var message: LogMessage =
        "{\(text)} has \(word) \(Int64(bitPattern: word), format: .hex, align: .left(columns: 4)), \(number) \(flag)"
      message.attach("nàme", text)
      let signed = Int64(bitPattern: word)
      let style = LogIntegerFormat.hex.style.aligned(.left(columns: 4))
      return (
        message,
        .message(
          RecordedMessage(
            format: "{{{}}} has {} {}, {} {}",
            arguments: [
              .init(value: .text(.plain(text))), .init(value: .unsigned(word)),
              .init(value: signed < 0 ? .unsigned(word) : .signed(signed), style: style), .init(value: .double(number)),
              .init(value: .flag(flag)), .init(name: "nàme", value: .text(.plain(text))),
            ]))
      )
    }
  }
}
