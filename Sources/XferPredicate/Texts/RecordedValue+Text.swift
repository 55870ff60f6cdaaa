package import XferEvents

extension RecordedValue {
  /// The value in readable form for a sentence. Control characters are not escaped.
  package var text: String {
    if case .message(let message) = self { return message.text }
    return valueText ?? "<unreadable>"
  }

  /// The exact value for a list of fields.
  package var detail: String {
    switch self {
    case .task(let task): "\(task.session)/\(task.number) \(task.uid)"
    case .tasks(let tasks): tasks.map { "\($0.session)/\($0.number) \($0.uid)" }.joined(separator: ", ")
    case .launch(let id): id.description
    case .boot(let id): id.description
    case .bytes(let count): count.magnitude < 1024 ? "\(count) B" : "\(count) B (\(ByteCount(count)))"
    case .duration(let duration): "\(duration.nanoseconds) ns (\(duration.short))"
    default: text
    }
  }
}
