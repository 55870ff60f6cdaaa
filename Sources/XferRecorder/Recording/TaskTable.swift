internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A table of recordings by task, which does not keep the tasks alive. The recording of a deallocated task is removed.
final class TaskTable: Sendable {
  fileprivate struct Entry {
    /// The task. `nil` when it has been deallocated. Compared with the looked-up task, because the address of a deallocated task
    /// may be reused.
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

  /// Adds a recording, and returns it or the recording that the task already had.
  func enter(_ recording: TaskRecording, of task: URLSessionTask) -> TaskRecording {
    state.withLock { state in
      if let entry = state.entries[ObjectIdentifier(task)], entry.task === task { return entry.recording }
      state.entries[ObjectIdentifier(task)] = Entry(task: task, recording: recording)
      if state.entries.count > state.limit { state.sweep() }
      return recording
    }
  }

  /// Returns the recordings of a session's unfinished tasks, sorted by task number.
  func live(of session: SessionRecording) -> [TaskRecording] {
    let all = state.withLock { $0.entries.values.filter { $0.task != nil }.map(\.recording) }
    return all.filter { $0.instance == session.instance && !$0.isComplete }.sorted { $0.identity.number < $1.identity.number }
  }
}

extension TaskTable.State {
  /// Removes the entries of deallocated tasks. The next sweep waits until the table has doubled, so that the cost per task
  /// stays constant.
  fileprivate mutating func sweep() {
    entries = entries.filter { $0.value.task != nil }
    limit = max(64, 2 * entries.count)
  }
}
