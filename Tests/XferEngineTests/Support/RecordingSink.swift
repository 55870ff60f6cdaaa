import Foundation
import Synchronization
import XferDiagnosis
import XferEngine
import XferEvents
import XferLifecycle
import XferReplay

/// An event as decoded from its stored form, so that tests cover the log's encoder and decoder.
struct NotedEvent: Sendable, CustomStringConvertible {
  let kind: EventKind
  let values: [String: RecordedValue]
  let task: TaskIdentity?
  /// The identifier of the thread that emitted the event.
  let thread: UInt

  var description: String {
    "\(kind) " + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  func text(_ name: String) -> String? {
    switch values[name] {
    case .text(.plain(let text)): text
    case .choice(let name): name
    default: nil
    }
  }

  func number(_ name: String) -> Int64? {
    switch values[name] {
    case .integer(let number), .bytes(let number): number
    default: nil
    }
  }

  func flag(_ name: String) -> Bool? {
    if case .flag(let flag) = values[name] { flag } else { nil }
  }

  func duration(_ name: String) -> Duration? {
    if case .duration(let duration) = values[name] { duration } else { nil }
  }

  func identifier(_ name: String) -> UInt64? {
    if case .identifier(let identifier) = values[name] { identifier } else { nil }
  }
}

/// A sink that keeps every event and resumes tests that wait for one.
final class RecordingSink: EventSink {
  private struct Waiter {
    let holds: @Sendable ([NotedEvent]) -> Bool
    let continuation: CheckedContinuation<[NotedEvent], Never>
  }

  private struct State {
    let archive = EventArchive(name: "test", writer: WriterContext(role: .engine))
    var events: [NotedEvent] = []
    var recorded: [RecordedEvent] = []
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())
  /// The clock for event times. Without one, events are numbered.
  private let clock: (any TransferClock)?
  /// A closure called on the emitting thread after each event, for actions that must happen exactly at that point.
  private let hook: @Sendable (EventKind) -> Void

  init(clock: (any TransferClock)? = nil, hook: @escaping @Sendable (EventKind) -> Void = { _ in }) {
    self.clock = clock
    self.hook = hook
  }

  func emit<Event: TransferEvent>(_ event: Event) {
    defer { hook(Event.kind) }
    #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
    #else
      let thread = UInt(pthread_self())
    #endif
    state.withLock { state in
      let recorded = state.archive.record(event, at: Moment(monotonic: clock?.monotonic ?? Int64(state.events.count)))
      state.recorded.append(recorded)
      let values = Dictionary(recorded.values.map { ($0.name, $0.value) }) { first, _ in first }
      state.events.append(NotedEvent(kind: recorded.kind!, values: values, task: recorded.task, thread: thread))
      let events = state.events
      state.waiters.removeAll { waiter in
        guard waiter.holds(events) else { return false }
        waiter.continuation.resume(returning: events)
        return true
      }
    }
  }

  func keeps(_ kind: EventKind) -> Bool { true }

  var events: [NotedEvent] { state.withLock { $0.events } }

  /// The findings of a diagnosis of the events so far, as in `xferlog tail`.
  var findings: [Finding] { diagnosed { $0.findings } }

  /// The states of all tasks after a replay of the events so far.
  var states: [TaskLifecycle.State] { diagnosed { it in it.world.tasks.indexes.map { it.world.tasks[$0].state } } }

  /// The diagnosis keeps the lock, because recorded events share definitions with those that the engine emits meanwhile.
  private func diagnosed<Value: Sendable>(_ value: (Diagnosis) -> Value) -> Value {
    state.withLock { state in
      var diagnosis = Diagnosis()
      for event in state.recorded { diagnosis.apply(.event(event)) }
      return value(diagnosis)
    }
  }

  func all(_ kind: EventKind) -> [NotedEvent] { events.filter { $0.kind == kind } }

  /// Waits until at least this many events of the kind were emitted.
  @discardableResult
  func wait(for kind: EventKind, _ count: Int = 1) async -> [NotedEvent] {
    await wait { $0.count { $0.kind == kind } >= count }
  }

  @discardableResult
  func wait(until holds: @escaping @Sendable ([NotedEvent]) -> Bool) async -> [NotedEvent] {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if holds(state.events) {
          continuation.resume(returning: state.events)
        } else {
          state.waiters.append(Waiter(holds: holds, continuation: continuation))
        }
      }
    }
  }
}
