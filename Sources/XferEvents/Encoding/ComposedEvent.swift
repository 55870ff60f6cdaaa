/// An event whose kind and fields are known only at run time, such as an example in a rule file.
package struct ComposedEvent: Sendable, Equatable {
  package let kind: EventKind
  /// The fields that the event has. Each value has the field's type.
  package let values: [FieldID: RecordedValue]

  package init(_ kind: EventKind, _ values: [FieldID: RecordedValue] = [:]) {
    self.kind = kind
    self.values = values
  }

  func encode(_ layout: EventLayout, into encoder: inout FieldEncoder) {
    let present = layout.fields.filter { $0.id.map { values[$0] != nil } ?? false }
    encoder.begin(presenceSize: layout.presenceSize, fixedSize: present.reduce(0) { $0 + ($1.type.storedSize ?? 0) })
    for (place, field) in layout.fields.enumerated() {
      guard let id = field.id, let value = values[id] else { continue }
      put(value, field.type, at: UInt64(place), into: &encoder)
    }
    encoder.finish(presenceSize: layout.presenceSize)
  }

  private func put(_ value: RecordedValue, _ type: FieldType, at place: UInt64, into encoder: inout FieldEncoder) {
    switch (value, type) {
    case (.task(let task), .task): encoder.put(task, at: place)
    case (.tasks(let tasks), .tasks): encoder.put(tasks, at: place)
    case (.launch(let id), .launch): encoder.put(high: id.high, low: id.low, at: place)
    case (.boot(let id), .boot): encoder.put(high: id.high, low: id.low, at: place)
    case (.identifier(let id), .delivery), (.identifier(let id), .handler), (.identifier(let id), .correlation):
      encoder.put(id, at: place)
    case (.digest(let digest), .digest): encoder.put(digest, at: place)
    case (.bytes(let count), .bytes): encoder.put(count, at: place)
    case (.integer(let number), .count): encoder.put(number, at: place)
    case (.integer(let number), .number): encoder.put(number: Int(clamping: number), at: place)
    case (.duration(let duration), .duration): encoder.put(duration, at: place)
    case (.time(let time), .wallTime): encoder.put(time.nanoseconds, at: place)
    case (.flag(let flag), .flag): encoder.put(flag ? 1 : 0 as UInt8, at: place)
    case (.choice(let word), .choice(let list)): encoder.put(Vocabulary.caseNumber(word, of: list) ?? .max, at: place)
    case (.text(.plain(let text)), .symbol): encoder.put(symbol: text, at: place)
    case (.message(let message), .message):
      message.storedArguments.withUnsafeBytes { encoder.put(message: message.format ?? "", arguments: $0, at: place) }
    case (.text(let text), .text): encoder.put(recorded: text, at: place)
    default: preconditionFailure("a value has its field's type")
    }
  }
}
