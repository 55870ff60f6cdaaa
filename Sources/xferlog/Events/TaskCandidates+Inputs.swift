import XferEvents
import XferLogStore
package import XferReading

extension TaskCandidates {
  /// Reads all events of the inputs.
  package init(_ inputs: LogInputs) throws {
    self.init()
    let source = try inputs.source()
    while let member = source.next() {
      guard case .event(let event) = member else { continue }
      take(event)
      if events & 0xFFFF == 0 { try Interruption.check() }
    }
  }

  /// Whether the inputs have a task that matches. In sealed segments, only the blocks that mention such tasks are read.
  static func exists(_ selector: TaskSelector, in inputs: LogInputs) throws -> Bool {
    var selection = BlockSelection()
    selection.isTaskWanted = selector.matches
    let source = try inputs.source(selection: selection)
    var events = 0
    while let member = source.next() {
      guard case .event(let event) = member else { continue }
      if event.task.map(selector.matches) ?? false || event.successor.map(selector.matches) ?? false { return true }
      events += 1
      if events & 0xFFFF == 0 { try Interruption.check() }
    }
    return false
  }
}
