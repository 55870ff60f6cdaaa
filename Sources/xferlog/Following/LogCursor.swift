package import XferEvents

/// The place in a log up to which its events were printed: the number of records that were read of each lane (one thread of one process
/// life).
///
/// One event would not be enough: events of other lanes may be committed later than an event with a later time. A lane's positions
/// continue in its next segment, so a cursor also holds after a rotation.
package struct LogCursor: Equatable, Sendable {
  private var lives: [LaunchID: Life] = [:]

  private struct Life: Equatable {
    /// Whether the last event of the process life was read.
    var isClosed = false
    var lanes: [UInt32: Position] = [:]
  }

  /// The records of a lane that were read: those before `next`, and a few after it whose predecessors were not.
  private struct Position: Equatable {
    var next: UInt64 = 0
    var ahead: Set<UInt64> = []
  }

  /// The maximum number of records that are read before a predecessor in their lane, because they are causes of events in other lanes.
  private static let reach = 256

  package init() {}

  package var isEmpty: Bool { lives.isEmpty }
  package var launches: Set<LaunchID> { Set(lives.keys) }

  // MARK: Events

  /// Whether an event or a gap lies before the cursor.
  package func covers(_ member: LogMember) -> Bool {
    switch member {
    case .event(let event):
      guard case .record(_, let lane, let sequence, _) = event.reference,
        let position = position(event.source.writer.launch, lane)
      else { return false }
      return sequence < position.next || position.ahead.contains(sequence)
    case .gap(let gap):
      guard let lane = gap.lane, let missing = gap.sequences, let position = position(gap.launch, lane) else { return false }
      if missing.upperBound <= position.next { return true }
      return missing.count <= Self.reach && missing.allSatisfy { $0 < position.next || position.ahead.contains($0) }
    }
  }

  private func position(_ launch: LaunchID?, _ lane: UInt32) -> Position? { launch.flatMap { lives[$0]?.lanes[lane] } }

  /// Moves the cursor behind an event or a gap.
  package mutating func pass(_ member: LogMember) {
    switch member {
    case .event(let event):
      guard let launch = event.source.writer.launch, case .record(_, let lane, let sequence, _) = event.reference else { return }
      pass(sequence..<sequence.addingClamped(1), of: lane, &lives[launch, default: Life()])
      if event.kind == .logClosed { lives[launch]?.isClosed = true }
    case .gap(let gap):
      guard let launch = gap.launch, let lane = gap.lane, let missing = gap.sequences else { return }
      pass(missing, of: lane, &lives[launch, default: Life()])
    }
  }

  private func pass(_ range: Range<UInt64>, of lane: UInt32, _ life: inout Life) {
    var position = life.lanes[lane] ?? Position()
    if range.lowerBound > position.next, range.lowerBound - position.next <= Self.reach {
      position.ahead.formUnion(range.prefix(Self.reach))
    } else {
      position.next = max(position.next, range.upperBound)
    }
    // A record that many others precede will not be read any more: it is lost, or it was not written.
    if position.ahead.count > Self.reach, let first = position.ahead.min() { position.next = first }
    while position.ahead.remove(position.next) != nil { position.next = position.next.addingClamped(1) }
    life.lanes[lane] = position
  }

  /// Forgets the process lives that are not in the log any more.
  package mutating func keep(_ launches: Set<LaunchID>) { lives = lives.filter { launches.contains($0.key) } }

  /// The process lives that were not read to their end, and that are not among those of a log.
  package func lost(_ launches: Set<LaunchID>) -> [LaunchID] {
    lives.filter { !launches.contains($0.key) && !$0.value.isClosed }.map(\.key)
  }
}

// MARK: Text

extension LogCursor: CustomStringConvertible {
  private static let version = "xferlog-cursor-1"

  /// The cursor as one line, for example `xferlog-cursor-1;00…01:0=4,1=117;00…02!:0=9`. An exclamation mark follows a process life that
  /// has ended.
  package var description: String {
    let lives = lives.map { launch, life in
      let lanes = life.lanes.sorted { $0.key < $1.key }.map { lane, position in
        "\(lane)=\(position.next)" + position.ahead.sorted().map { "+\($0)" }.joined()
      }
      return "\("\(launch)".filter { $0 != "-" })\(life.isClosed ? "!" : ""):\(lanes.joined(separator: ","))"
    }
    return ([Self.version] + lives.sorted()).joined(separator: ";")
  }

  /// Reads a cursor. `nil` if the text is not one.
  package init?(_ text: String) {
    var parts = text.split(separator: ";", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), first == Self.version else { return nil }
    for part in parts {
      let halves = part.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2 else { return nil }
      let isClosed = halves[0].hasSuffix("!")
      guard let launch = LaunchID(String(isClosed ? halves[0].dropLast() : halves[0])), lives[launch] == nil else { return nil }
      var life = Life(isClosed: isClosed)
      for lane in halves[1].split(separator: ",", omittingEmptySubsequences: false) {
        guard let (number, position) = Self.lane(lane) else { return nil }
        life.lanes[number] = position
      }
      lives[launch] = life
    }
  }

  private static func lane(_ text: Substring) -> (UInt32, Position)? {
    let halves = text.split(separator: "=", omittingEmptySubsequences: false)
    guard halves.count == 2, let lane = UInt32(halves[0]) else { return nil }
    var numbers = halves[1].split(separator: "+", omittingEmptySubsequences: false).map { UInt64($0) }[...]
    guard numbers.count <= reach + 1, let first = numbers.popFirst(), let next = first else { return nil }
    let ahead = numbers.compactMap(\.self)
    guard ahead.count == numbers.count, ahead.allSatisfy({ $0 > next }) else { return nil }
    return (lane, Position(next: next, ahead: Set(ahead)))
  }
}

extension LogCursor {
  /// Returns the part of a gap after the records that the cursor has passed.
  package func rest(of gap: LogGap) -> LogGap {
    guard let lane = gap.lane, let missing = gap.sequences, let position = position(gap.launch, lane),
      missing.contains(position.next), position.next > missing.lowerBound
    else { return gap }
    var rest = LogGap(
      cause: gap.cause, segment: gap.segment, name: gap.name, launch: gap.launch, lane: lane,
      sequences: position.next..<missing.upperBound, bytes: gap.bytes, after: gap.after, before: gap.before, terms: gap.terms)
    (rest.excluded, rest.scope) = (gap.excluded, gap.scope)
    return rest
  }
}
