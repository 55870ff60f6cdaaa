package import XferDiagnosis
package import XferEvents

/// One finding.
package struct FindingRow: TableRow {
  package static let table = "findings"
  private let place: Int
  private let finding: Finding

  /// - Parameter place: the index in the diagnosis's list of findings. `causedBy` refers to such an index.
  package init(_ finding: Finding, at place: Int) {
    self.place = place
    self.finding = finding
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "id": ColumnValue(place),
      "rule": .text(finding.rule),
      "variant": ColumnValue(finding.variant),
      "severity": .text(finding.severity.rawValue),
      "certainty": .text(finding.certainty.rawValue),
      "counted": ColumnValue(finding.counts),
      "caused_by": ColumnValue(finding.causedBy),
      "session": ColumnValue(finding.session),
      "task": ColumnValue(finding.task.map { "\($0.uid)" }),
      "wake": .digits(finding.wake?.rawValue),
      "launch": ColumnValue(finding.launch.map { "\($0)" }),
      "time": .time(finding.moment.wall), "time_ns": .epoch(finding.moment.wall),
      "summary": .text(finding.summary),
      "remedy": .text(finding.remedy),
      "fingerprint": .text(finding.fingerprint),
      "lowered": .list(finding.lowered),
      "unless": .list(finding.unless),
    ]
  }
}

/// An event that a finding cites as evidence or as missing.
package struct EvidenceRow: TableRow {
  package static let table = "evidence"
  private let finding: Int
  private let isMissing: Bool
  private let event: EventKind
  private let reference: EventReference?
  private let source: Int64?
  private let wall: WallTime?

  /// - Parameter source: returns the number of the source that a reference names, in the table `sources`.
  package static func all(of finding: Finding, at place: Int, source: (EventReference) -> Int64?) -> [EvidenceRow] {
    finding.evidence.map {
      EvidenceRow(
        finding: place, isMissing: false, event: $0.kind, reference: $0.reference, source: source($0.reference), wall: $0.wall)
    }
      + finding.missing.map {
        EvidenceRow(finding: place, isMissing: true, event: $0.event, reference: nil, source: nil, wall: $0.dueBy?.wall)
      }
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    let place = reference.map(RecordPlace.init)
    return [
      "finding": ColumnValue(finding),
      "missing": ColumnValue(isMissing),
      "event": .text(event.name),
      "source": ColumnValue(source),
      "segment": ColumnValue(place?.segment),
      "lane": ColumnValue(place?.lane),
      "seq": ColumnValue(place?.sequence),
      "time": .time(wall), "time_ns": .epoch(wall),
    ]
  }
}

/// An event reference in the form of three columns.
package struct RecordPlace: Hashable, Sendable {
  package let segment: Int64
  /// The lane; 0 for a line of a foreign log.
  package let lane: Int64
  /// The position within the lane, or the number of a line of a foreign log.
  package let sequence: Int64

  @inline(__always)
  package init(_ reference: EventReference) {
    switch reference {
    case .record(let segment, let lane, let sequence, _):
      self.segment = Int64(segment)
      self.lane = Int64(lane)
      self.sequence = Int64(clamping: sequence)
    case .line(let file, let line):
      segment = Int64(file)
      lane = 0
      sequence = Int64(clamping: line)
    }
  }
}
