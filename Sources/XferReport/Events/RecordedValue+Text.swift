import XferEvents

extension RecordedValue {
  /// As it stands in a sentence: humanised, not escaped.
  var text: String {
    if case .message(let message) = self { return message.text }
    return valueText ?? "<unreadable>"
  }

  /// As it stands in a list of fields: nothing is left out.
  var detail: String {
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
