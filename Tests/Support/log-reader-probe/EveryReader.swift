import Foundation
import LogTestSupport
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferQuery
import XferReplay
import XferReport

/// A driver that reads one segment with every reader of the tools, and discards the output.
struct EveryReader {
  let path: String
  /// The places of the changed events.
  let changed: Set<SegmentDraft.Place>
  /// The maximum number of members that a file of this size can contain.
  let limit: Int
  /// The index of the text format to use, which varies with the seed.
  let form: Int

  struct Tally {
    var events = 0
    /// The number of changed events that were decoded.
    var changed = 0
    var gaps = 0
    var findings = 0
  }

  private var input: [LogReader.Input] { [.segment(path)] }

  func read() -> Tally {
    var tally = Tally()
    readValues(&tally)
    follow()
    select()
    recover()
    show()
    replay(&tally)
    _ = SegmentStamp.all(of: input)
    return tally
  }

  /// Calls the body for each member. Traps if a reader returns members without end.
  private func each(_ next: () -> LogMember?, _ body: (LogMember) -> Void) {
    var count = 0
    while let member = next() {
      count += 1
      precondition(count <= limit, "the reader returned more members than the file has bytes")
      body(member)
    }
  }

  private func readValues(_ tally: inout Tally) {
    let reader = LogReader(input)
    each(reader.next) { member in
      guard case .event(let event) = member else {
        tally.gaps += 1
        return
      }
      tally.events += 1
      _ = event.values
      guard case .record(_, let lane, let sequence, _) = event.reference,
        changed.contains(.init(lane: lane, sequence: sequence))
      else { return }
      tally.changed += 1
      for field in FieldID.allCases { _ = EventSamples.value(field, of: event) }
    }
  }

  private func follow() {
    let reader = LogReader(input, isFollowing: true)
    for _ in 0..<2 {
      each(reader.next) { if case .event(let event) = $0 { _ = event.values } }
      reader.refresh()
    }
  }

  /// Reads with a selection, which uses the index if the segment has one.
  private func select() {
    var selection = BlockSelection()
    selection.levels = UInt8(truncatingIfNeeded: form)
    selection.since = WallTime(nanoseconds: Int64(form) << 40)
    selection.isTaskWanted = { $0.number & 1 == 0 }
    selection.isSessionWanted = { !$0.isEmpty }
    selection.kinds = KindSelection(keepsEnds: form % 2 == 0) { layout in
      [KindChoice.read, .count, .countAsMatch][Int(layout.pointee.layout.number) % 3]
    }
    let reader = LogReader(input, isFollowing: false, selection: selection)
    each(reader.next) { if case .event(let event) = $0 { _ = event.values } }
    scan()
  }

  /// Reads blocks in any order, with some kinds of events only in part.
  private func scan() {
    let scan = BlockScan(threads: 2, isCancelled: { false }, receivers: { ValueReceiver(limit: limit) })
    var selection = BlockSelection()
    selection.scan = scan
    let reader = LogReader(input, isFollowing: false, selection: selection)
    each(reader.next) { if case .event(let event) = $0 { _ = event.values } }
  }

  /// Reads in every recovery mode except the default.
  private func recover() {
    for mode in RecoveryMode.allCases where mode != .tail {
      let reader = LogReader(input, recovery: mode)
      each(reader.next) { if case .event(let event) = $0 { _ = event.values } }
    }
  }

  private func show() {
    var merged = EventTextStyle(columns: 60, hasColor: true)
    (merged.silence, merged.mergesProgress, merged.redraws) = (.seconds(1), true, true)
    var wide = merged
    wide.isWide = true
    let texts: [any EventDocument] = [
      EventLines(merged), EventLines(wide), EventLogfmt(), EventMessages(), EventCSV(),
      EventLines(EventTextStyle()), EventLines(EventTextStyle(time: .relative, columns: 100, hasColor: true)),
      EventLines(EventTextStyle(time: .absolute, columns: 130, hasColor: true)), EventDetails(EventTextStyle(time: .delta)),
    ]
    var documents: [any EventDocument] = [texts[form % texts.count], EventJSON(form % 2 == 0 ? .lines : .document)]
    var text = TextBuffer()
    for place in documents.indices {
      let reader = LogReader(input)
      documents[place].begin(in: &text)
      each(reader.next) { member in
        documents[place].append(member, to: &text)
        documents[place].pause(in: &text)
        text.removeAll()
      }
      documents[place].end(in: &text)
      text.removeAll()
    }
  }

  private func replay(_ tally: inout Tally) {
    var writers = [ReplayWriter(.text), ReplayWriter(form % 2 == 0 ? .document : .lines)]
    var statistics = TaskStatistics()
    var ended = 0
    let reader = LogReader(input)
    // Use a small limit, so that ended tasks are discarded as in a long log.
    var diagnosis = JointDiagnosis(
      endedLimit: 2,
      onTaskEnd: { task, world in
        var text = TextBuffer()
        for place in writers.indices { writers[place].append(task, world, to: &text) }
        statistics.add(task)
        ended += 1
      })
    var ordered = OrderedMembers { reader.next() }
    var text = TextBuffer()
    var lines = EventLines(EventTextStyle())
    var board = TaskBoard()
    each({ ordered() }) { member in
      _ = board.apply(member, isShown: true)
      for finding in diagnosis.apply(member) {
        let inset = finding.inset(decidedAt: nil)
        lines.append(inset, to: &text)
        board.note(inset)
      }
      text.removeAll()
    }
    _ = TaskBoardText(EventTextStyle(columns: 40 + form)).table(board, at: board.last, rows: 10, title: "log")
    diagnosis.finish()
    tally.findings = diagnosis.findings.count
    let document = ReplayDocument(
      diagnosis: diagnosis, inversions: ordered.inversions, inputs: [], exitCode: 0, countsPossible: true)
    for writer in writers { writer.end(document) { $0(&text) } }
    let figures = StatisticsDocument(
      Statistics(diagnosis, tasks: statistics, span: diagnosis.counts.span), inputs: [],
      incompleteness: diagnosis.incompleteness)
    figures.write(to: &text)
    figures.writeCSV(to: &text)
    text.appendJSON { figures.writeJSON(to: &$0) }
  }
}

/// Reads the values of all events that a scan hands out.
private final class ValueReceiver: ScanReceiver {
  private let limit: Int
  private var count = 0

  init(limit: Int) { self.limit = limit }

  func begin(_ source: RecordSource) {}

  func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    [.fields, .time, .kind, [], .whole][Int(layout.pointee.layout.number) % 5]
  }

  func take(_ event: EventView, count: Int) {
    self.count += count
    precondition(self.count <= limit, "the scan returned more events than the file has bytes")
    _ = event.values
    _ = event.reference
  }

  func ignore(_ count: Int) {}
}
