import XferEvents

/// The trace and the spans to which events belong.
///
/// An attempt has the identifiers that its engine sent in `traceparent`. Without any, they are derived from the task and the number of
/// the attempt, so that they are the same in every export.
struct TraceIdentities {
  private struct Open {
    var trace: TraceContext
    var attempt: Int
  }

  /// The recorded identifiers of the last attempt of each open task.
  private var open: [TaskUID: Open] = [:]

  private static let limit = 50_000

  mutating func note(_ event: RecordedEvent) {
    switch event.kind {
    case .attemptStarted:
      guard case .plain(let text)? = event.traceParent, let trace = TraceContext(text), let task = event.task else { return }
      if open.count >= Self.limit { open.removeAll() }
      open[task.uid] = Open(trace: trace, attempt: event.attempt ?? 1)
    case .taskCompleted, .taskForgotten: if let task = event.task { open[task.uid] = nil }
    default: break
    }
  }

  /// Returns the trace of a task, and the span of an attempt; `nil` for the span of an event that is not of an attempt.
  func identity(task: TaskUID, attempt: Int?) -> (trace: String, span: UInt64?) {
    if let known = open[task] {
      return (known.trace.trace, attempt.map { $0 == known.attempt ? known.trace.span : Self.span(task, $0) })
    }
    return (Self.trace(task), attempt.map { Self.span(task, $0) })
  }

  /// The identifier of a task's trace that was not recorded.
  static func trace(_ task: TaskUID) -> String {
    task.high.hexadecimal + (task.low == 0 && task.high == 0 ? 1 : task.low).hexadecimal
  }

  /// The identifier of an attempt's span that was not recorded; never 0.
  static func span(_ task: TaskUID, _ attempt: Int) -> UInt64 {
    // The finalizer of MurmurHash3, a bijection, so that attempts of one task differ.
    var value = task.low ^ task.high &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: attempt)
    value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
    value ^= value >> 33
    return value == 0 ? 1 : value
  }
}
