/// The installation that recorded events belong to. Names, numbers and process ids are joined only within one installation.
package enum InstallationScope: Hashable, Sendable {
  /// The installation that the log names.
  case installation(InstallationID)
  /// The log names no installation, so its directory takes the installation's place.
  case directory(String)
  /// The source has neither an installation nor a directory, so the boot takes the installation's place.
  case boot(BootID)
  /// The source identifies neither an installation nor a machine.
  case unknown

  package init(_ writer: WriterContext) {
    if let installation = writer.installation {
      self = .installation(installation)
    } else if let boot = writer.boot {
      self = .boot(boot)
    } else {
      self = .unknown
    }
  }
}

/// Numbers the installations of a reading from 0, in the order in which their first events or gaps are read.
package struct InstallationTable: Sendable {
  private var places: [InstallationScope: Int] = [:]
  /// The number of each source's installation, at the source's index; -1 if the source has not been seen.
  private var ofSource: [Int] = []

  package init() {}

  package var count: Int { places.count }

  @inline(__always)
  package mutating func place(of event: EventView) -> Int {
    let source = event.sourceIndex
    if source < ofSource.count, ofSource[source] >= 0 { return ofSource[source] }
    return note(event.source)
  }

  package mutating func place(of gap: LogGap) -> Int { place(of: gap.scope) }

  /// Returns the number of the installation that the first of some events belongs to, and the index of the first event of another
  /// installation, or the end of `places`.
  package mutating func run(of events: ContiguousArray<EventView>, _ places: Range<Int>) -> (installation: Int, end: Int) {
    // Without the buffer, comparing two neighbours would cost five times as much, and this is done for every event.
    events.withUnsafeBufferPointer { events in
      let installation = place(of: events[places.lowerBound])
      var (origin, end) = (events[places.lowerBound].common, places.lowerBound + 1)
      while end < places.upperBound {
        let next = events[end].common
        if next != origin {
          guard place(of: events[end]) == installation else { break }
          origin = next
        }
        end += 1
      }
      return (installation, end)
    }
  }

  @inline(never)
  private mutating func note(_ source: RecordSource) -> Int {
    while ofSource.count <= source.index { ofSource.append(-1) }
    ofSource[source.index] = place(of: source.scope)
    return ofSource[source.index]
  }

  private mutating func place(of scope: InstallationScope) -> Int {
    if let known = places[scope] { return known }
    places[scope] = places.count
    return places.count - 1
  }
}
