import Synchronization
import XferEvents
import XferLogStore

/// An event sink that writes a log and lets tests wait for events.
final class WatchedLog: EventSink {
  private struct State {
    var counts: [EventKind: Int] = [:]
    var waiters: [(kind: EventKind, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let log: EventLog
  private let state = Mutex(State())

  init(_ log: EventLog) { self.log = log }

  func emit<Event: TransferEvent>(_ event: Event) {
    log.emit(event)
    let ready = state.withLock { state in
      let count = state.counts[Event.kind, default: 0] + 1
      state.counts[Event.kind] = count
      let ready = state.waiters.filter { $0.kind == Event.kind && $0.count <= count }
      state.waiters.removeAll { $0.kind == Event.kind && $0.count <= count }
      return ready.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  func keeps(_ kind: EventKind) -> Bool { log.keeps(kind) }

  func count(of kind: EventKind) -> Int { state.withLock { $0.counts[kind, default: 0] } }

  /// Waits until the log contains a number of events of a kind.
  func wait(for kind: EventKind, _ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.counts[kind, default: 0] >= count { return true }
        state.waiters.append((kind, count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func close() { log.close() }
}
