import XferLogStore
import XferReading

/// Groups lines that arrive in any order, in bounded memory. Groups that do not fit are written to files.
///
/// The groups come out in the order of their names, however the lines arrived and however much memory there is.
final class LineSorter {
  /// The maximum size of the lines in memory, in bytes.
  private let limit: Int
  private let directory: ScratchDirectory
  private var groups: [GroupName: LineGroup] = [:]
  private var size = 0
  private var runs: [ScratchFile] = []
  private var written = 0

  /// The maximum number of files that are read together.
  private static let mostRuns = 32
  /// The memory that a group takes without its lines, in bytes. An estimate.
  private static let groupSize = 512

  init(limit: Int, in directory: ScratchDirectory) { (self.limit, self.directory) = (limit, directory) }

  func add(_ line: [UInt8], _ arrived: ArrivedLine) throws {
    let isNew = groups[arrived.group] == nil
    groups[arrived.group, default: LineGroup()].append(line, arrived.facts)
    size += line.count + LineGroup.overhead + (isNew ? Self.groupSize : 0)
    if size > limit { try spill() }
  }

  /// A group with its lines; `nil` lines if they do not fit in memory.
  typealias Taken = (name: GroupName, lines: LineGroup?)

  /// Calls a function with each group, in the order of their names. The sorter is empty afterwards.
  func drain(_ take: (Taken) throws -> Void) throws {
    if runs.isEmpty {
      for name in groups.keys.sorted() {
        guard let lines = groups.removeValue(forKey: name) else { continue }
        try take((name, lines))
      }
      size = 0
      return
    }
    if !groups.isEmpty { try spill() }
    let merge = try RunMerge(runs)
    while let name = try merge.nextGroup() {
      var lines: LineGroup? = LineGroup()
      try merge.takeLines { line, facts in
        if lines.map({ $0.size > limit }) ?? true { lines = nil } else { lines?.append(line, facts) }
      }
      try take((name, lines))
    }
    runs = []
  }

  // MARK: Files

  private func spill() throws {
    let run = try RunWriter(nextPath())
    for name in groups.keys.sorted() {
      guard let lines = groups[name] else { continue }
      try run.begin(name)
      for place in 0..<lines.count { try run.append(lines.line(place), lines.facts[place]) }
      try run.endGroup()
    }
    try run.file.flush()
    groups.removeAll()
    size = 0
    runs.append(run.file)
    if runs.count >= Self.mostRuns { try join() }
  }

  /// Joins all files into one, so that the number of open files stays bounded.
  private func join() throws {
    let (merge, run) = (try RunMerge(runs), try RunWriter(nextPath()))
    while let name = try merge.nextGroup() {
      try run.begin(name)
      try merge.takeLines { try run.append($0, $1) }
      try run.endGroup()
    }
    try run.file.flush()
    runs = [run.file]
  }

  private func nextPath() -> String {
    written += 1
    return "\(directory.path)/run-\(written)"
  }
}
