package import XferEvents

/// A multipart upload. The server keeps its parts until the upload is completed or aborted.
package struct MultipartLifecycle: Sendable {
  package let id: CorrelationID
  /// The index of the process life that mentioned the upload last.
  package var process: Int
  package private(set) var task: TaskIdentity?
  /// Whether the app intends to continue the upload in a later life.
  package private(set) var isResumable = false
  package private(set) var started: Fact?
  package private(set) var firstPart: Fact?
  package private(set) var lastPart: Fact?
  package private(set) var parts = 0
  /// The properties of the source file when the first part was stored.
  package private(set) var source: SourceLook?
  package private(set) var completed: Fact?
  package private(set) var aborted: Fact?
  package private(set) var unexpected: UnexpectedOrder?
  private var order = OrderTracker()

  package init(id: CorrelationID, process: Int) { (self.id, self.process) = (id, process) }

  package var isOpen: Bool { completed == nil && aborted == nil }

  package mutating func apply(_ kind: EventModel.Upload, _ event: EventView, _ fact: Fact, process: Int) {
    self.process = process
    task = event.task ?? task
    switch kind {
    case .multipartStarted:
      started = started ?? fact
      isResumable = event.resumable ?? isResumable
    case .multipartPartStored:
      firstPart = firstPart ?? fact
      lastPart = fact
      parts += 1
      source = source ?? SourceLook(event, fact)
    case .multipartCompleted: completed = completed ?? fact
    case .multipartAborted: aborted = aborted ?? fact
    }
    unexpected = unexpected ?? order.note(fact)
  }
}
