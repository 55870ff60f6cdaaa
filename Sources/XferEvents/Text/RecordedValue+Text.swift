extension RecordedValue {
  /// The value as readable text, not escaped; `nil` for a message and for an unreadable value.
  package var valueText: String? {
    switch self {
    case .task(let task): "\(task.session)/\(task.number)"
    case .tasks(let tasks): tasks.map { "\($0.session)/\($0.number)" }.joined(separator: " ")
    case .launch(let id): String(id.description.prefix(8))
    case .boot(let id): String(id.description.prefix(8))
    case .identifier(let id): String(id)
    case .digest(let digest): "#\(String(digest, radix: 16))"
    case .bytes(let count): ByteCount(count).description
    case .integer(let number): String(number)
    case .duration(let duration): duration.short
    case .time(let time): time.description
    case .flag(let flag): flag ? "yes" : "no"
    case .choice(let name): name
    case .text(let text): text.description
    case .message, .unreadable: nil
    }
  }
}
