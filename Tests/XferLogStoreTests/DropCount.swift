import Testing
import XferEvents

/// What a log counted as not written, held against what is missing in it.
struct DropCount {
  private let read: LogContents
  /// By family, over all reasons.
  let counted: [String: Int64]

  init(_ read: LogContents) {
    self.read = read
    counted = read.events(.logDropped).reduce(into: [:]) { $0[$1.family ?? "?", default: 0] += $1.count ?? 0 }
  }

  /// How many of the workload's events are missing, by family.
  ///
  /// - Parameter emitted: events of each thread, numbered from 0.
  func missing(emitted: [Int: Int]) -> [String: Int64] {
    var missing: [String: Int64] = [:]
    for (thread, count) in emitted {
      for kind in 0..<4 {
        let written = (count - kind + 3) / 4
        let present = (read.numbers[thread] ?? []).count { $0 & 3 == kind }
        missing[["attempt", "attempt", "delivery", "app"][kind], default: 0] += Int64(written - present)
      }
    }
    return missing.filter { $0.value != 0 }
  }

  /// That each event is in the log, once, or counted by its family. What the log says of itself may be missing, too.
  func check(emitted: [Int: Int], _ comment: Comment = "") {
    let own: Set<String> = ["log", "clock", "process"]
    #expect(counted.filter { !own.contains($0.key) } == missing(emitted: emitted), comment)
    for (thread, count) in emitted {
      let numbers = read.numbers[thread] ?? []
      #expect(Set(numbers).count == numbers.count, "\(comment): doubled in thread \(thread)")
      #expect(numbers.allSatisfy { $0 < count }, comment)
    }
  }
}
