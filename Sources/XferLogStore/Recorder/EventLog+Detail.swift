public import XferEvents

extension EventLog {
  /// Leaves in the log what the flight recorder has of a task, and what it gets of it later, however the task ends.
  public func keep(_ task: TaskIdentity) { withWriter { $0.recorder?.keep(task) } }

  /// Takes an event that the log's levels leave out: it goes to its task's ring, or nowhere.
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
