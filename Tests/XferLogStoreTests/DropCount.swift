import Testing
import XferEvents

/// Compares the number of dropped events that a log reports with the number that are missing.
struct DropCount {
  private let read: LogContents
  /// The reported numbers by event family, summed over all reasons.
  let counted: [String: Int64]

  init(_ read: LogContents) {
    self.read = read
    counted = read.events(.logDropped).reduce(into: [:]) { $0[$1.family ?? "?", default: 0] += $1.count ?? 0 }
  }

  /// Returns the number of missing workload events by event family.
  ///
  /// - Parameter emitted: The number of events emitted by each thread, numbered from 0.
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

  /// Checks that each event is either in the log exactly once or counted as dropped. Events about the log itself may be
  /// missing.
  func check(emitted: [Int: Int], _ comment: Comment = "") {
    let own: Set<String> = ["log", "clock", "process"]
    #expect(counted.filter { !own.contains($0.key) } == missing(emitted: emitted), comment)
    for (thread, count) in emitted {
      let numbers = read.numbers[thread] ?? []
      #expect(Set(numbers).count == numbers.count, "\(comment): duplicate in thread \(thread)")
      #expect(numbers.allSatisfy { $0 < count }, comment)
    }
  }
}
