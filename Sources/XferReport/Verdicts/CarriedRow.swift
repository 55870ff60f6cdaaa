package import XferEvents

/// A row of a state file that is not an event. `xferlog replay --stdin --state-out` writes the file, and the next batch reads it.
package struct CarriedRow {
  package enum Kind: String, CaseIterable { case closed, end }

  private let kind: Kind
  private var log: String?
  private var lanes: [Lane]?
  private var lines: Int?
  private var checksum: UInt32?

  /// The events of one lane that a closed group had.
  package struct Lane {
    let launch: LaunchID
    let lane: Int64
    let ranges: [Range<UInt64>]

    package init(launch: LaunchID, lane: Int64, ranges: [Range<UInt64>]) {
      (self.launch, self.lane, self.ranges) = (launch, lane, ranges)
    }
  }

  /// A group whose verdict is final, with the places of its events, so that late and repeated events are noticed.
  package static func closed(_ log: String, _ lanes: [Lane]) -> CarriedRow {
    var row = CarriedRow(kind: .closed)
    (row.log, row.lanes) = (log, lanes)
    return row
  }

  /// The last row.
  ///
  /// - Parameters:
  ///   - lines: the number of lines before this one.
  ///   - checksum: the CRC-32C of these lines with their line feeds.
  package static func end(lines: Int, checksum: UInt32) -> CarriedRow {
    var row = CarriedRow(kind: .end)
    (row.lines, row.checksum) = (lines, checksum)
    return row
  }

  private init(kind: Kind) { self.kind = kind }

  /// The text of a checksum in rows.
  package static func text(_ checksum: UInt32) -> String { String(UInt64(checksum).hexadecimal.suffix(8)) }
}

extension CarriedRow {
  package func write(to json: inout JSONText) { Self.object.write(self, to: &json) }

  static let object = DocumentObject<CarriedRow>(
    "carried",
    "A row of the state between two batches. The other lines of a state are the events of open groups, as they arrived. A member that "
      + "does not belong to the row's kind is `null`."
  ) { fields in
    fields.schema("xferlog.carried/1")
    fields.choice("kind", Kind.allCases.map(\.rawValue), "What the row is about; `end` is the last row.") { $0.kind.rawValue }
    fields.optionalText("log", "Name of a group whose verdict is final.") { $0.log }
    fields.optionalList("lanes", laneObject, "The events that the group had.") { $0.lanes }
    fields.optionalInteger("lines", "Number of lines before the last one.") { $0.lines }
    fields.optionalText("checksum", "CRC-32C of these lines with their line feeds, as eight hexadecimal digits.") {
      $0.checksum.map(text)
    }
  }

  private static let laneObject = DocumentObject<Lane>("carriedLane", "The events of one lane of a process life.") { fields in
    fields.text("launch", as: .uuid, "Process life.") { "\($0.launch)" }
    fields.integer("lane", "Number of the lane; negative for a line of a foreign log.") { $0.lane }
    fields.list("ranges", rangeObject, "Positions of the events.") { $0.ranges }
  }

  private static let rangeObject = DocumentObject<Range<UInt64>>("carriedRange", "Successive positions.") { fields in
    fields.integer("from", "First position.") { $0.lowerBound }
    fields.integer("to", "The position behind the last one.") { $0.upperBound }
  }
}
