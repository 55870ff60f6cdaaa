internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Finds a task's recording: what is recorded of a task stands beside it, and goes when it does.
final class TaskTable: Sendable {
  fileprivate struct Entry {
    /// An address is used again; only together with the object it names one task.
    weak var task: URLSessionTask?
    let recording: TaskRecording
  }

  fileprivate struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = 64
  }

  private let state = Mutex(State())

  func recording(of task: URLSessionTask) -> TaskRecording? {
    state.withLock { state in
      guard let entry = state.entries[ObjectIdentifier(task)], entry.task === task else { return nil }
      return entry.recording
    }
  }

  /// - Returns: the recording that is there already, else the given one, which it now is.
  func enter(_ recording: TaskRecording, of task: URLSessionTask) -> TaskRecording {
    state.withLock { state in
      if let entry = state.entries[ObjectIdentifier(task)], entry.task === task { return entry.recording }
      state.entries[ObjectIdentifier(task)] = Entry(task: task, recording: recording)
      if state.entries.count > state.limit { state.sweep() }
      return recording
    }
  }

  /// Tasks of a session that have not ended, in the order of their numbers.
  func live(of session: SessionRecording) -> [TaskRecording] {
    let all = state.withLock { $0.entries.values.filter { $0.task != nil }.map(\.recording) }
    return all.filter { $0.instance == session.instance && !$0.isComplete }.sorted { $0.identity.number < $1.identity.number }
  }
}

extension TaskTable.State {
  /// Costs what it looks at, so it waits until there is twice as much.
  fileprivate mutating func sweep() {
    entries = entries.filter { $0.value.task != nil }
    limit = max(64, 2 * entries.count)
  }
}
