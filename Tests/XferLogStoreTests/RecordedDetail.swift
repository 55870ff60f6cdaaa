import LogTestSupport
import XferEvents

@testable import XferLogStore

/// Emits debug detail about numbered tasks, as numbered steps.
enum Detail {
  static func task(_ number: Int) -> TaskIdentity {
    let uid = TaskUID(high: 0xDE7A11, low: UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15)
    return TaskIdentity(uid: uid, session: "downloads", number: UInt32(number))
  }

  static func logger(_ log: EventLog, _ task: Int) -> EventLogger {
    EventLogger(subsystem: "com.example", category: "net", log: log).with(task: Self.task(task))
  }

  static func emit(_ numbers: Range<Int>, of task: Int, to log: EventLog) {
    let logger = logger(log, task)
    for number in numbers { logger.debug("step \(number) of task \(task)") }
  }

  static func complete(_ task: Int, error: Int? = nil, in log: EventLog) {
    log.emit(TaskCompleted(task: Self.task(task), received: 100, domain: error.map { _ in .curl }, error: error))
  }
}

extension LogContents {
  /// Returns the step numbers in a task's detail, in the order read.
  func steps(of task: Int) -> [Int] { steps()[task] ?? [] }

  /// Returns the step numbers of all tasks, in the order read.
  func steps() -> [Int: [Int]] {
    events.reduce(into: [:]) { steps, event in
      guard event.kind == .messageDebug, let task = event.task, task == Detail.task(Int(task.number)),
        case .signed(let number)? = event.eventMessage?.arguments.first?.value
      else { return }
      steps[Int(task.number), default: []].append(Int(number))
    }
  }
}
