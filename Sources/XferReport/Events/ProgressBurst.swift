import XferEvents

/// A run of progress events without other events between them, shown as one line. The run's first event has a line of its own.
struct ProgressBurst {
  /// The number of events after the first one.
  private(set) var count = 0
  /// The second event of the run; `nil` once the run has a third one.
  private(set) var only: RecordedEvent?
  /// Whether events were added since the burst was last shown.
  var isChanged = false
  private let beginning: WallTime?
  private var end: WallTime?
  private var tasks: Set<TaskUID> = []
  /// The bytes of each task and direction, in the first and the last event that tell them.
  private var bytes: [Amount: (first: Int64, last: Int64)] = [:]

  private struct Amount: Hashable {
    let task: TaskUID
    let attempt: Int?
    let isSent: Bool
  }

  /// Whether an event tells only how far a transfer has come.
  static func contains(_ event: RecordedEvent) -> Bool {
    switch event.kind {
    case .attemptBytesReceived, .attemptBytesSent: return true
    case .deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft:
      switch event.callback {
      case .didReceiveData, .didWriteData, .didSendBodyData: return true
      default: return false
      }
    default: return false
    }
  }

  /// - Parameter event: the first event of the run.
  init(after event: RecordedEvent) {
    (beginning, end) = (event.wall, event.wall)
    note(event)
  }

  mutating func add(_ event: RecordedEvent) {
    count += 1
    only = count == 1 ? event : nil
    isChanged = true
    end = event.wall ?? end
    note(event)
  }

  private mutating func note(_ event: RecordedEvent) {
    guard let task = event.task?.uid else { return }
    tasks.insert(task)
    note(event.received, Amount(task: task, attempt: event.view.attempt, isSent: false))
    note(event.sent, Amount(task: task, attempt: event.view.attempt, isSent: true))
  }

  private mutating func note(_ total: Int64?, _ amount: Amount) {
    guard let total else { return }
    bytes[amount] = (bytes[amount]?.first ?? total, total)
  }

  /// The run in words, for example `412 more progress events of 3 tasks, 33.2 MiB in 3.4s (9.7 MiB/s)`.
  var text: String {
    var text = "\(count.counted("more progress event"))"
    if tasks.count > 1 { text += " of \(tasks.count) tasks" }
    let moved = bytes.values.reduce(Int64(0)) { sum, amount in
      let (difference, overflow) = amount.last.subtractingReportingOverflow(amount.first)
      return overflow || difference == .min ? sum : sum.addingClamped(abs(difference))
    }
    if moved > 0 { text += ", \(ByteCount(moved))" }
    guard let beginning, let end, beginning != end else { return text }
    let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow(beginning.nanoseconds)
    if overflow || difference == .min { return text }
    let time = Duration.nanoseconds(abs(difference))
    text += " in \(time.short)"
    if moved > 0 { text += " (\(ByteCount(ByteRate.perSecond(moved, in: time)))/s)" }
    return text
  }
}
