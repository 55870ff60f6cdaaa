package import XferEvents

/// An upload in parts: the server keeps them until they are made one, or given up.
package struct MultipartLifecycle: Sendable {
  package let id: CorrelationID
  /// Place of the process life that spoke of it last.
  package var process: Int
  package private(set) var task: TaskIdentity?
  /// Whether the app means to go on with it in a later life.
  package private(set) var isResumable = false
  package private(set) var started: Fact?
  package private(set) var firstPart: Fact?
  package private(set) var lastPart: Fact?
  package private(set) var parts = 0
  /// What the file was like when its first part was stored.
  package private(set) var source: SourceLook?
  package private(set) var completed: Fact?
  package private(set) var aborted: Fact?
  package private(set) var unexpected: UnexpectedOrder?
  private var order = OrderTracker()

  package init(id: CorrelationID, process: Int) { (self.id, self.process) = (id, process) }

  package var isOpen: Bool { completed == nil && aborted == nil }

  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) {
    self.process = process
    task = event.task ?? task
    switch fact.kind {
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
    default: break
    }
    unexpected = unexpected ?? order.note(fact)
  }
}
