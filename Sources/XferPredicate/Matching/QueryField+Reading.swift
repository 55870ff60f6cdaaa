package import XferEvents

extension QueryField {
  /// Reads the field of an event.
  ///
  /// - Parameter subjects: the values of subjects' fields; `nil` if they are unknown, so that these fields are missing.
  package func reading(of event: EventView, _ subjects: (any SubjectValues)? = nil) -> FieldReading {
    switch source {
    case .vocabulary(let id): Self.reading(of: id, in: event, type)
    case .property(let property): Self.reading(of: property, in: event)
    case .subject(let field):
      // The writer is known from the event itself.
      Self.writerReading(field, event) ?? subjects?.reading(field, for: event) ?? .missing
    case .column: .missing
    }
  }

  // MARK: Fields of the vocabulary

  @inline(__always)
  private static func reading(of id: FieldID, in event: EventView, _ type: ValueType) -> FieldReading {
    switch id.type {
    case .bytes, .count, .duration, .wallTime: FieldReading(event.signedWord(id))
    case .number: FieldReading(event.number(id))
    case .flag: FieldReading(event.byte(id).map { $0 == 0 ? 0 : 1 })
    case .choice(let list): FieldReading(event.byte(id).map { Vocabulary.caseName($0, of: list) })
    case .symbol:
      if event.half(id) == nil { .missing } else { event.symbol(id).map(FieldReading.text) ?? .unreadable }
    case .text: FieldReading(event.text(id))
    case .delivery, .handler, .correlation: FieldReading(event.word(id).map { "\($0)" })
    case .digest: FieldReading(event.word(id).map { "#\(String($0, radix: 16))" })
    case .launch: FieldReading(event.pair(id).map { "\(LaunchID(high: $0.high, low: $0.low))" })
    case .boot: FieldReading(event.pair(id).map { "\(BootID(high: $0.high, low: $0.low))" })
    case .task: if event.half(id) == nil { .missing } else { reading(of: event.taskIdentity(id)) }
    case .tasks: event.taskList(id).map { .texts($0.flatMap { [$0.label, "\($0.uid)"] }) } ?? .missing
    case .message: FieldReading(event.message(id).map(\.text))
    }
  }

  private static func reading(of task: TaskIdentity?) -> FieldReading { task.map(FieldReading.init(task:)) ?? .unreadable }

  // MARK: Properties

  private static func reading(of property: EventProperty, in event: EventView) -> FieldReading {
    switch property {
    case .time: return FieldReading(event.wall)
    case .monotonic: return FieldReading(event.monotonic)
    case .boottime: return FieldReading(event.boottime)
    case .level: return .number(Int64(event.level.rawValue))
    case .event: return .text(event.layout.name)
    case .family: return .text(String(event.layout.name.prefix { $0 != "." }))
    case .message: return .text(EventTexts.message(of: event))
    case .thread: return FieldReading(event.thread)
    case .task: return event.taskSymbol == nil ? .missing : reading(of: event.task)
    case .taskUID: return event.taskSymbol == nil ? .missing : event.task.map { .text("\($0.uid)") } ?? .unreadable
    case .taskNumber: return event.taskSymbol == nil ? .missing : event.task.map { .number(Int64($0.number)) } ?? .unreadable
    case .session:
      if event.taskSymbol != nil { return event.task.map { .text($0.session) } ?? .unreadable }
      return event.half(.session) == nil ? .missing : event.session.map(FieldReading.text) ?? .unreadable
    case .processName: return FieldReading(event.source.writer.executable)
    case .processID: return FieldReading(event.source.writer.pid)
    case .role: return FieldReading(event.source.writer.role?.name)
    case .launch: return FieldReading(event.source.writer.launch.map { "\($0)" })
    case .boot: return FieldReading(event.source.writer.boot.map { "\($0)" })
    case .place: return .text("\(event.reference)")
    case .file: return .text(event.source.name)
    }
  }

  private static func writerReading(_ field: SubjectField, _ event: EventView) -> FieldReading? {
    let writer = event.source.writer
    switch (field.subject, field.name) {
    case (.process, "role"): return FieldReading(writer.role?.name)
    case (.process, "pid"): return FieldReading(writer.pid)
    case (.process, "executable"): return FieldReading(writer.executable)
    case (.process, "launch"): return FieldReading(writer.launch.map { "\($0)" })
    case (.task, "name"): return reading(of: .task, in: event)
    case (.task, "uid"): return reading(of: .taskUID, in: event)
    case (.task, "number"): return reading(of: .taskNumber, in: event)
    case (.task, "session"):
      return event.taskSymbol == nil ? .missing : event.task.map { .text($0.session) } ?? .unreadable
    default: return nil
    }
  }

  /// Whether the field of a subject is known from the event alone.
  package var isKnownAtOnce: Bool {
    guard case .subject(let field) = source else { return true }
    return switch (field.subject, field.name) {
    case (.process, "role"), (.process, "pid"), (.process, "executable"), (.process, "launch"), (.task, "name"), (.task, "uid"),
      (.task, "number"), (.task, "session"):
      true
    default: false
    }
  }
}
