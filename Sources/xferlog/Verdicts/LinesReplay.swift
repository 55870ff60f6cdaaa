import XferEvents
import XferImport
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The replay of the event lines of many groups, as `xferlog replay --stdin` does it for engines that distribute events over machines.
///
/// The lines of a group may arrive in any order. Memory use is bounded by `memory`, and the output depends only on the lines.
struct LinesReplay {
  let judge: LogJudge
  let batch: BatchOptions
  /// Groups without an event since this time are closed, although a state is written; `nil` closes none.
  let closeBefore: WallTime?
  let surroundings: Surroundings

  /// The maximum number of refused lines that are named.
  private static let named = 5

  func run() throws -> (end: VerdictRow.End, problem: String?) {
    // Without handlers, these signals would leave the directory behind.
    Interruption.handle(SIGTERM)
    Interruption.handle(SIGHUP)
    let scratch = try ScratchDirectory("xferlog-replay")
    let state = try batch.stateOut.map { try CarriedStateWriter($0, surroundings) }
    var run = Run(self, scratch, state)
    let sorter = LineSorter(limit: batch.groupLimit, in: scratch)
    if let path = batch.stateIn { run.closed = try CarriedStateReader(path) { try sorter.add($0, $1) }.closed }
    try read(into: sorter, &run)
    try sorter.drain { try run.take($0, $1) }
    // A batch that failed is repeated with the state before it.
    let problem = run.problem
    if problem == nil { try run.finishState() }
    return (run.end, problem)
  }

  private func read(into sorter: LineSorter, _ run: inout Run) throws {
    var lines = InputLines(descriptor: surroundings.input)
    var current: GroupName?
    var past: Set<Int> = []
    let tree = JSONTree()
    while let line = try lines.next() {
      if line.bytes.isEmpty { continue }
      run.lines.read += 1
      let arrived: ArrivedLine
      do throws(ArrivedLine.Problem) {
        if line.isCut { throw ArrivedLine.Problem(text: "it has \(line.length) bytes, and at most 1 MiB is possible") }
        arrived = try ArrivedLine(line.bytes, tree)
      } catch {
        run.lines.unreadable += 1
        if run.lines.unreadable <= Self.named { surroundings.remark("line \(line.number) is refused: \(error.text)") }
        continue
      }
      if batch.grouped, arrived.group != current {
        if let current {
          try sorter.drain { try run.take($0, $1) }
          past.insert(current.hashValue)
        }
        if past.contains(arrived.group.hashValue) {
          throw CommandExit(
            .failed,
            "the lines are not grouped: line \(line.number) belongs to \(arrived.group.text), whose lines ended before; sort the input, or "
              + "leave out --grouped")
        }
        current = arrived.group
      }
      try sorter.add(line.bytes, arrived)
    }
  }

  /// The progress of a run.
  private struct Run {
    var closed: [GroupName: ClosedGroup] = [:]
    var lines = VerdictRow.End.Lines()
    private let replay: LinesReplay
    private let state: CarriedStateWriter?
    private let scratch: ScratchDirectory
    private var logs = 0
    private var unreadable = 0

    init(_ replay: LinesReplay, _ scratch: ScratchDirectory, _ state: CarriedStateWriter?) {
      (self.replay, self.scratch, self.state) = (replay, scratch, state)
    }

    var end: VerdictRow.End {
      var end = VerdictRow.End()
      (end.logs, end.unreadable, end.lines) = (logs, unreadable, lines)
      return end
    }

    /// Why the exit code is not 0; `nil` if everything was read.
    var problem: String? {
      var parts: [String] = []
      if lines.unreadable > 0 { parts.append("\(lines.unreadable) of \(lines.read) lines could not be read") }
      if unreadable > 0 {
        parts.append(
          "\(unreadable) of \(logs.counted("group")) could not be judged; see the rows with the verdict unreadable"
        )
      }
      if parts.isEmpty { return nil }
      return parts.joined(separator: ", and ") + (state == nil ? "" : " (the state file was not written)")
    }

    mutating func finishState() throws {
      guard let state else { return }
      for name in closed.keys.sorted() {
        if let group = closed[name] { try state.append(name, group) }
      }
      try state.finish()
    }

    mutating func take(_ name: GroupName, _ group: LineGroup?) throws {
      try Interruption.check()
      guard let group else {
        let limit = ByteCount(Int64(replay.batch.groupLimit))
        return try refuse(name, "its events take more than \(limit), half of --memory; raise --memory")
      }
      guard let places = try selected(group, name) else { return }
      let order = GroupOrder(group, places)
      lines.duplicate += order.duplicates
      if let contradiction = order.contradiction { return try refuse(name, contradiction) }
      if let state, !isClosed(group) {
        try state.append(group, order.places)
        lines.carriedGroups += 1
        let hasNews = places.contains { !group.facts[$0].isCarried }
        if replay.batch.interim, hasNews { try judge(group, order, name, isFinal: false) }
      } else {
        try judge(group, order, name, isFinal: true)
        if state != nil { closed[name, default: ClosedGroup()].add(order.places.lazy.map { group.facts[$0] }) }
      }
    }

    /// Returns the places of the lines that the verdict of an earlier batch does not contain; `nil` if there are none, or if they are late.
    private mutating func selected(_ group: LineGroup, _ name: GroupName) throws -> [Int]? {
      let all = Array(group.facts.indices)
      guard let past = closed[name] else { return all }
      var (kept, hasEvents) = ([Int](), false)
      for place in all {
        let facts = group.facts[place]
        guard facts.kind == .event else {
          kept.append(place)
          continue
        }
        switch past.arrival(of: facts) {
        case .known: lines.duplicate += 1
        case .new:
          kept.append(place)
          hasEvents = true
        case .late:
          try refuse(
            name, "an event arrived late: an earlier batch closed the log without it; repeat that batch, or close logs later")
          return nil
        }
      }
      return hasEvents ? kept : nil
    }

    private func isClosed(_ group: LineGroup) -> Bool {
      guard let limit = replay.closeBefore, let newest = group.facts.lazy.compactMap(\.wall).max() else { return false }
      return newest < limit.nanoseconds
    }

    private mutating func refuse(_ name: GroupName, _ problem: String) throws {
      logs += 1
      unreadable += 1
      try replay.judge.refuse(name.text, problem)
    }

    private mutating func judge(_ group: LineGroup, _ order: GroupOrder, _ name: GroupName, isFinal: Bool) throws {
      logs += 1
      let path = "\(scratch.path)/group.ndjson"
      let file = try ScratchFile.created(path)
      for place in order.places {
        try file.append(group.line(place))
        try file.append(CollectionOfOne(UInt8(ascii: "\n")))
      }
      try file.flush()
      let isReadable = try replay.judge.judge(name.text, isFinal: isFinal) {
        try LogInputs(eventLines: path, named: name.text, replay.surroundings)
      }
      if !isReadable { unreadable += 1 }
    }
  }
}
