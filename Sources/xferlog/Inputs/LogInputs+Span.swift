package import XferEvents
import XferLogStore
package import XferReading

extension LogInputs {
  /// Returns the earliest and the latest wall-clock time of all events; `nil` when no event has a time.
  package func span() throws -> ClosedRange<WallTime>? {
    let source = try source()
    var (span, count) = (nil as ClosedRange<WallTime>?, 0)
    while let member = source.next() {
      count += 1
      if count & 0xFFFF == 0 { try Interruption.check() }
      guard case .event(let event) = member, let wall = event.wall, !(span?.contains(wall) ?? false) else { continue }
      span = min(span?.lowerBound ?? wall, wall)...max(span?.upperBound ?? wall, wall)
    }
    return span
  }

  /// The files that importers read line by line, with the numbers and names that references use.
  var lineFiles: [PlaceExpression.LineFile] {
    guard logs.count < inputs.count, let source = try? source() else { return [] }
    return source.origins.filter { origin in
      switch inputs[origin.input].location {
      case .log: false
      case .converted, .foreign: true
      }
    }.map { PlaceExpression.LineFile(number: $0.number, name: $0.name) }
  }
}
