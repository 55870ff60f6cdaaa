import XferEvents
package import XferLifecycle
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
