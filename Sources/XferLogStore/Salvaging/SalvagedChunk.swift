/// What could be had of one chunk, from wherever in the file it stood.
struct SalvagedChunk {
  let index: UInt32
  /// `nil` while nobody knows whose it is: both of its headers are lost.
  var header: ChunkHeader?
  /// Records with the lower half of their positions, until `settle`.
  var carved: [RecordWalker.Record] = []
  /// By position, each once.
  private(set) var records: [RecordWalker.Record] = []
  var isLarge = false
  /// A block of columns that is whole; it need not be made again, and knows which records retention took away.
  var whole: DecodedBlock?
  /// Behind the last position that it had, where a sealed block says so.
  var end: UInt64?

  init(index: UInt32) { self.index = index }

  /// No chunk holds as many records.
  static let recordLimit: UInt64 = UInt64(SegmentFormat.chunkSize / RecordFormat.payload)

  /// Takes records whose positions are known.
  mutating func add(_ records: [RecordWalker.Record]) { self.records += records }

  /// Gives what was carved its positions, by the chunk's first, and puts all in order.
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

  /// Records whose positions follow each other without a hole.
  var runs: [ArraySlice<RecordWalker.Record>] {
    var runs: [ArraySlice<RecordWalker.Record>] = []
    var start = 0
    for place in records.indices.dropFirst() where records[place].sequence != records[place - 1].sequence + 1 {
      runs.append(records[start..<place])
      start = place
    }
    return records.isEmpty ? [] : runs + [records[start...]]
  }

  /// Whether what it holds are definitions, which say themselves what they define.
  var holdsDefinitions: Bool {
    carved.first.map { $0.kind >= RecordFormat.stringDefined } ?? false
  }
}

extension RecordWalker.Record {
  func at(_ sequence: UInt64) -> Self { Self(kind: kind, time: time, sequence: sequence, payload: payload) }

  /// The same, of a chunk whose clocks nobody knows.
  var withoutTime: Self { Self(kind: kind, time: 0, sequence: sequence, payload: payload) }
}
