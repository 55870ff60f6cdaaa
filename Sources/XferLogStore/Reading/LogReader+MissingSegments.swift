import XferEvents

/// Segments that are missing from a log.
///
/// The segments of a directory are numbered without holes, each segment names its writer's previous one, and a writer that leaves
/// a full segment continues in another one. Only retention removes segments, and it records each removal.
extension LogReader {
  /// Returns a gap for each run of missing segments.
  func missingSegments() -> [LogGap] {
    var gaps: [LogGap] = []
    let places = Dictionary(grouping: origins.indices) { origins[$0].input }
    let numbers = numbersOfSameLogs(places)
    for (place, input) in inputs.enumerated() {
      let present = (places[place] ?? []).sorted { segments[$0].number < segments[$1].number }
      guard let first = present.first else { continue }
      switch input {
      case .directory: gaps += missing(of: place, present, copied: numbers[place] ?? [])
      case .segment:
        let previous = segments[first].header.previous
        if lacksPrevious(first) { gaps.append(gap(previous...previous, at: first)) }
      }
    }
    return gaps + segmentsWithoutNext.map { gap(nil, at: $0) }
  }

  /// Returns the numbers of the segments that other inputs have of each input's log. Inputs with segments of the same writer are parts of
  /// the same log.
  private func numbersOfSameLogs(_ places: [Int: [Int]]) -> [Int: Set<UInt32>] {
    if places.count < 2 { return [:] }
    let launches = places.mapValues { Set($0.map { segments[$0].header.launch }) }
    return Dictionary(
      uniqueKeysWithValues: launches.map { input, own in
        let others = places.filter { other, _ in other != input && !own.isDisjoint(with: launches[other] ?? []) }
        return (input, Set(others.values.joined().map { segments[$0].header.number }))
      })
  }

  /// - Parameters:
  ///   - present: The indexes in `segments` of the directory's segments, ordered by segment number.
  ///   - copied: The numbers of the log's segments in other inputs.
  private func missing(of input: Int, _ present: [Int], copied: Set<UInt32>) -> [LogGap] {
    // A copy that was left out is not missing, whatever its file is called.
    let copied = copied.union(present.filter { !isRead($0) }.map { segments[$0].header.number })
    let present = present.filter(isRead)
    if present.isEmpty { return [] }
    // The name of a copy does not tell the segment's number.
    let copies = Dictionary(grouping: segments) { SegmentKey($0.header) }.filter { $0.value.count > 1 }
    var known = Set(
      present.map { copies[SegmentKey(segments[$0].header)] == nil ? segments[$0].number : segments[$0].header.number })
    // A segment that cannot be read is reported elsewhere, so it is not missing. A file that is not a segment is ignored,
    // whatever number its name contains.
    known.formUnion(problems.compactMap { $0.input == input && $0.error.code != .notALog ? $0.number : nil })
    known.formUnion(retired[input] ?? [])
    known.formUnion(copied)
    known.formUnion(leftOut.compactMap { $0.input == input ? $0.number : nil })
    // Larger numbers come from files that were renamed, because no writer uses them.
    known = known.filter { $0 > 0 && $0 < LogWriter.numberLimit }
    guard let last = known.max(), let hole = (1...last).last(where: { !known.contains($0) }) else { return [] }
    // Of a log's beginning that is not read, nothing is reported.
    let unread = isWhole ? 0 : (present.map { segments[$0].number }.min() ?? 1) - 1
    let removed = Swift.min(Swift.max(lastRemoved(of: input, present, upTo: hole), unread), last)
    var runs: [ClosedRange<UInt32>] = []
    var next = removed + 1
    for number in known.sorted() where number > removed {
      if number > next { runs.append(next...number - 1) }
      next = number + 1
    }
    return runs.map { run in
      // If one writer's segments before and after the run follow each other, only its events are missing.
      let successor = present.first { segments[$0].number > run.upperBound && run.contains(segments[$0].header.previous) }
      return gap(
        run, at: successor ?? present.last { segments[$0].number < run.lowerBound } ?? present[0], isWriterKnown: successor != nil
      )
    }
  }

  /// Returns the highest number of a segment that retention removed, according to the log; 0 if it removed none.
  ///
  /// - Parameters:
  ///   - present: The indexes in `segments` of the directory's segments.
  ///   - hole: The highest number of a segment that the log lacks. The search ends when its removal is known.
  private func lastRemoved(of input: Int, _ present: [Int], upTo hole: UInt32) -> UInt32 {
    let opened = present.map { (number: segments[$0].number, path: segments[$0].path, place: Optional($0)) }
    let others = tasksLeftOut.filter { $0.input == input }.map { (number: $0.number, path: $0.path, place: Int?.none) }
    var last: UInt32 = 0
    // The search begins with the newest segments, because they record the latest removal.
    for segment in (opened + others).sorted(by: { $0.number > $1.number }) where last < hole {
      // Only a few segments contain events about removals. Read these segments again to find the events.
      guard segment.place.map(mentionsRemoval) ?? mentionsRemoval(segment.path) else { continue }
      let reader = LogReader([.segment(segment.path)], isFollowing: false, selection: nil, infersInstallations: false)
      while let member = reader.nextOfLanes() {
        guard case .event(let event) = member, event.kind == .logSegmentsRemoved, let number = event.view.segment else {
          continue
        }
        last = Swift.max(last, UInt32(clamping: number))
      }
    }
    return last
  }

  private func mentionsRemoval(_ place: Int) -> Bool {
    segments[place].refreshDictionary()
    return segments[place].mentionsRemoval
  }

  private func mentionsRemoval(_ path: String) -> Bool {
    guard let (segment, source) = try? SegmentReader.open(number: 0, path: path, name: "", index: 0) else { return false }
    return withExtendedLifetime(source) {
      segment.refreshDictionary()
      return segment.mentionsRemoval
    }
  }

  private func lacksPrevious(_ place: Int) -> Bool {
    let (number, launch) = (segments[place].header.previous, segments[place].header.launch)
    return number != 0 && !segments.contains { $0.header.number == number && $0.header.launch == launch }
      && !leftOut.contains { $0.header.number == number && $0.header.launch == launch }
  }

  /// The segments whose writers continued in segments that are missing.
  ///
  /// If a writer has later segments, a hole in the numbers shows what is missing.
  var segmentsWithoutNext: [Int] {
    let headers = segments.map(\.header) + leftOut.map(\.header)
    let last = Dictionary(headers.map { ($0.launch, $0.number) }) { Swift.max($0, $1) }
    return segments.indices.filter { place in
      let header = segments[place].header
      return isRead(place) && segments[place].endWhenOpened?.state == .rotated && last[header.launch] == header.number
    }
  }

  /// - Parameters:
  ///   - place: A segment next to the missing ones.
  ///   - isWriterKnown: Whether this segment's writer wrote the missing ones.
  private func gap(_ numbers: ClosedRange<UInt32>?, at place: Int, isWriterKnown: Bool = true) -> LogGap {
    let segment = segments[place]
    var gap = LogGap(
      cause: .missingSegments(numbers), segment: segment.number, name: segment.name,
      launch: isWriterKnown && numbers?.count ?? 1 == 1 ? segment.header.launch : nil)
    gap.scope = segment.source.scope
    if gap.launch == nil { gap.excluded = wholeWriters }
    return gap
  }

  /// Returns a gap for each segment that cannot be read. If it may belong to several installations, each of them has the gap.
  func unreadableSegments() -> [LogGap] {
    problems.flatMap { problem -> [LogGap] in
      // A file that is not a segment leaves a hole in the numbers of the segments, which is reported elsewhere.
      guard problem.error.code != .notALog, let number = problem.number else { return [] }
      var gap = LogGap(cause: .damaged(problem: problem.error.problem), segment: number, name: problem.name)
      gap.excluded = wholeWriters
      return scopes(ofInput: problem.input).map { scope in
        gap.scope = scope
        return gap
      }
    }
  }

  /// The installations of an input's segments, in the order of the segments; of all segments if none of the input can be read.
  private func scopes(ofInput input: Int) -> [InstallationScope] {
    let own = segments.indices.filter { origins[$0].input == input }
    var scopes: [InstallationScope] = []
    for place in own.isEmpty ? Array(segments.indices) : own where !scopes.contains(segments[place].source.scope) {
      scopes.append(segments[place].source.scope)
    }
    return scopes
  }

  /// The process lives whose segments are all present: each segment names the one before it, and the last one was not left for another
  /// one. A writer marks a full segment before it writes the first event to the next one.
  private var wholeWriters: [LaunchID] {
    let headers = Dictionary(grouping: segments.map(\.header) + tasksLeftOut.map(\.header), by: \.launch)
    let left = Set(segments.filter(\.wasLeft).map { SegmentKey($0.header) })
    return headers.filter { Self.isWhole($0.value, left) }.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
  }

  /// - Parameters:
  ///   - headers: The headers of a process life's segments.
  ///   - left: The segments that were left for another one. A segment that was not opened has a successor, or its writer closed it.
  private static func isWhole(_ headers: [SegmentHeader], _ left: Set<SegmentKey>) -> Bool {
    var last: SegmentHeader?
    for header in headers.sorted(by: { $0.number < $1.number }) where header.number != last?.number {
      guard header.previous == last?.number ?? 0 else { return false }
      last = header
    }
    return last.map { !left.contains(SegmentKey($0)) } ?? true
  }
}
