import XferEvents
import XferLogStore

/// A driver that reads a sealed segment with the readers that use its index, its trailer and its hash chain.
struct SealReader {
  let path: String

  struct Reading {
    var places: Set<EventReference> = []
    /// Whether a reader reported damage, missing parts, an edit or a repair.
    var isReported = false
  }

  func read() -> Reading {
    var reading = Reading()
    let reader = LogReader([.segment(path)])
    while let member = reader.next() {
      switch member {
      case .event(let event): reading.places.insert(event.reference)
      case .gap: reading.isReported = true
      }
    }
    if !reader.problems.isEmpty { reading.isReported = true }
    for examination in reader.examinations where !examination.flaws.isEmpty { reading.isReported = true }
    _ = StorageAccount(reader)
    return reading
  }
}

/// The results for all forged files.
struct SealTally {
  let pristine: Int
  private var files = 0
  private var consistent = 0
  private var complete = 0
  private var silent: [UInt64] = []
  private var leaked = 0

  init(pristine: Int) { self.pristine = pristine }

  mutating func add(
    _ reading: SealReader.Reading, _ pristine: Set<EventReference>, seed: UInt64, isConsistent: Bool, leaked: Int
  ) {
    files += 1
    consistent += isConsistent ? 1 : 0
    self.leaked += max(0, leaked)
    if pristine.isSubset(of: reading.places) { complete += 1 } else if !reading.isReported { silent.append(seed) }
  }

  /// The results as `KEY=VALUE` pairs.
  var text: String {
    "files=\(files) consistent=\(consistent) complete=\(complete) events=\(pristine) silent=\(silent.count) "
      + "silentSeed=\(silent.first.map { "\($0)" } ?? "-1") leaked=\(leaked) peak=\(peakMemory)"
  }
}
