import XferEvents
package import XferLifecycle
import XferPredicate
import XferQuery
package import XferReplay

extension ReportRows {
  /// Appends an attempt or a task that has ended. Times are distances from the last event.
  package mutating func append(_ unit: LifecycleTracker.Unit, to text: inout TextBuffer) {
    switch unit {
    case .attempt(let attempt): append(attempt, to: &text)
    case .task(let task):
      let number = number(of: task.identity, in: &text)
      let start = task.startNanoseconds.subtractingClamped(wall)
      row(in: &text) { json in
        json.string("t" as StaticString)
        json.integer(number)
        json.integer(start)
        json.integer(task.duration)
        json.boolean(task.isEnded)
        json.texts(task.method, task.url?.host)
      }
    }
  }

  private mutating func append(_ attempt: ExportedAttempt, to text: inout TextBuffer) {
    let number = number(of: attempt.task, in: &text)
    let start = attempt.startNanoseconds.subtractingClamped(wall)
    let last = attempt.requests.last
    row(in: &text) { json in
      json.string("a" as StaticString)
      json.integer(number)
      json.integer(attempt.number)
      json.integer(start)
      json.integer(attempt.duration)
      json.boolean(attempt.isEnded)
      json.array(of: attempt.requests.enumerated()) { entry, json in
        let (place, request) = entry
        let isLast = place == attempt.requests.count - 1
        json.array(of: RequestPhases(request, until: isLast ? attempt.last : attempt.requests[place + 1].start).parts) {
          $1.string($0.name)
          $1.integer($0.duration)
        }
      }
      json.texts(attempt.failure, last?.url.host, last?.protocol)
      json.numbers(attempt.status.map(Int64.init), attempt.received, last?.expected, attempt.sent)
      if let reused = last?.reused { json.boolean(reused) } else { json.null() }
    }
  }

  /// Appends the lifecycle of a task that has ended, or that is open at the end of the log.
  package mutating func append(_ task: TaskLifecycle, _ world: World, to text: inout TextBuffer) {
    let number = number(of: task.identity, in: &text)
    row(in: &text) { json in
      json.string("l" as StaticString)
      json.integer(number)
      ReplayDocument.taskObject.write(InWorld(task, world), to: &json)
      json.array(of: zip(TaskFields.all, TaskFields.readings(of: task, in: world))) { entry, json in
        // The path may be private. The page takes it from the events, in which private values are masked.
        Self.append(entry.0.name == "task.path" ? .missing : entry.1, to: &json)
      }
    }
  }

  /// Appends the value of a field of a task. Numbers of more than 53 bits become strings of digits.
  private static func append(_ reading: FieldReading, to json: inout JSONText) {
    switch reading {
    case .number(let number) where number.magnitude < 1 << 53: json.integer(number)
    case .number(let number): json.integerString(number)
    case .text(let text): json.string(text)
    case .missing, .cut, .masked, .numbers, .texts, .unreadable: json.null()
    }
  }
}

extension JSONText {
  fileprivate mutating func texts(_ texts: String?...) {
    for text in texts { if let text { string(text) } else { null() } }
  }

  fileprivate mutating func numbers(_ numbers: Int64?...) {
    for number in numbers { if let number { integer(number) } else { null() } }
  }
}
