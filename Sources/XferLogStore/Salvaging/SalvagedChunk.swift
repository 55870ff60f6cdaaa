/// The recovered contents of one chunk, from any place in the file.
struct SalvagedChunk {
  let index: UInt32
  /// The chunk's header; `nil` while its lane is unknown because both headers are lost.
  var header: ChunkHeader?
  /// The records found so far, with the low 16 bits of their positions. Empty after `settle()`.
  var carved: [RecordWalker.Record] = []
  /// The records in order of their positions, without duplicates.
  private(set) var records: [RecordWalker.Record] = []
  var isLarge = false
  /// A valid block in column form, which can be copied unchanged. Its bytes also state how many records retention removed.
  var whole: DecodedBlock?
  /// The position after the chunk's last record, if a sealed block states it.
  var end: UInt64?

  init(index: UInt32) { self.index = index }

  /// The maximum number of records in a chunk.
  static let recordLimit: UInt64 = UInt64(SegmentFormat.chunkSize / RecordFormat.payload)

  /// Adds records with known positions.
  mutating func add(_ records: [RecordWalker.Record]) { self.records += records }

  /// Computes the full positions of the carved records from the chunk's first position, and sorts all records.
  mutating func settle() {
    guard let header else { return }
    if whole != nil { carved = [] }
    for record in carved {
      let ahead = (record.sequence &- header.firstSequence) & 0xFFFF
      if ahead < Self.recordLimit { records.append(record.at(header.firstSequence &+ ahead)) }
    }
    carved = []
    records.sort { $0.sequence < $1.sequence }
    var last: UInt64?
    records.removeAll { record in
      defer { last = record.sequence }
      return record.sequence == last
    }
  }

  /// The records split into runs with contiguous positions.
  var runs: [ArraySlice<RecordWalker.Record>] {
    var runs: [ArraySlice<RecordWalker.Record>] = []
    var start = 0
    for place in records.indices.dropFirst() where records[place].sequence != records[place - 1].sequence + 1 {
      runs.append(records[start..<place])
      start = place
    }
    return records.isEmpty ? [] : runs + [records[start...]]
  }

  /// Whether the chunk holds definitions, which need no lane to be understood.
  var holdsDefinitions: Bool {
    carved.first.map { $0.kind >= RecordFormat.stringDefined } ?? false
  }
}

extension RecordWalker.Record {
  func at(_ sequence: UInt64) -> Self { Self(kind: kind, time: time, sequence: sequence, payload: payload) }

  /// A copy of the record with time 0, for a chunk whose clocks are unknown.
  var withoutTime: Self { Self(kind: kind, time: 0, sequence: sequence, payload: payload) }
}
