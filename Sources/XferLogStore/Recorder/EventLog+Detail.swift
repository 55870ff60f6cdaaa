public import XferEvents

extension EventLog {
  /// Keeps the flight recorder's existing and future detail about a task in the log, however the task ends.
  public func keep(_ task: TaskIdentity) { withWriter { $0.recorder?.keep(task) } }

  /// Offers an event that the log's levels exclude to its task's detail ring, and discards it if there is none.
  @inline(never)
  func recordDetail(_ event: some TransferEvent) {
    withWriter { writer in
      guard let recorder = writer.recorder, let task = event.subject else { return }
      switch recorder.take(event, about: task, for: writer) {
      case nil: break
      case .tooLarge: writer.noteDrop(type(of: event).kind, reason: .tooLarge)
      case .refused: writer.noteDrop(type(of: event).kind, lane: nil)
      }
    }
  }
}
