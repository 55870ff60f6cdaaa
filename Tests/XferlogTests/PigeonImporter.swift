import Foundation
import XferEvents
import XferImport

/// An importer of a made-up format, as small as an importer can be.
///
/// A pigeon book begins with the line `pigeon book` and has one JSON object per line: `at` in seconds of Unix time, `did`, and `bird`.
/// A complete book ends with the line `the end`.
struct PigeonImporter: EventImporter {
  let format = "pigeon-book"

  func recognises(_ candidate: ImportCandidate) -> Bool {
    candidate.kind == .file && candidate.head.starts(with: "pigeon book\n".utf8)
  }

  func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    PigeonSource(inputs, firstIndex: firstIndex)
  }
}

/// The events of pigeon books, one book after the other.
final class PigeonSource: EventSource {
  private(set) var origins: [SourceOrigin] = []
  private(set) var unreadable: [UnreadablePart] = []
  private(set) var incompleteness: [SourceIncompleteness] = []
  private var members: [LogMember] = []
  private var place = 0

  init(_ inputs: [ImportedInput], firstIndex: Int) {
    for input in inputs {
      guard let text = try? String(contentsOfFile: input.path, encoding: .utf8) else {
        let error = SourceError(.unreadable, place: input.name, problem: "the book is not UTF-8", advice: "Convert it.")
        unreadable.append(UnreadablePart(input: input.place, error: error))
        continue
      }
      read(text, of: input, index: firstIndex + origins.count)
    }
  }

  func next() -> LogMember? {
    guard place < members.count else { return nil }
    defer { place += 1 }
    return members[place]
  }

  private func read(_ text: String, of input: ImportedInput, index: Int) {
    let number = UInt32(index + 1)
    origins.append(SourceOrigin(input: input.place, path: input.path, number: number, name: input.name))
    let archive = EventArchive(number: number, name: input.name, writer: WriterContext(), index: index)
    let lines = text.split(separator: "\n")
    for (place, line) in lines.enumerated().dropFirst() where line != "the end" {
      let line = (number: UInt64(place + 1), text: line)
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(line.text.utf8)) else {
        members.append(
          .gap(
            LogGap(
              cause: .damaged(problem: "it is not a JSON object of the book"), segment: number, name: input.name,
              sequences: line.number..<line.number + 1, terms: .lines)))
        continue
      }
      members += record.events(archive, line: line.number).map(LogMember.event)
    }
    if lines.last != "the end" {
      incompleteness.append(SourceIncompleteness(input: input.place, reason: "\(input.name) has no last line"))
    }
  }

  private struct Record: Decodable {
    let at: Double
    let did: String
    let bird: UInt32
    var site: String?

    func events(_ archive: EventArchive, line: UInt64) -> [RecordedEvent] {
      let task = TaskIdentity(uid: TaskUID(high: 0xb1d, low: UInt64(bird)), session: "loft", number: bird)
      let moment = Moment(wall: WallTime(nanoseconds: Int64(at * 1_000_000_000)))
      func event(_ event: some TransferEvent) -> [RecordedEvent] { [archive.record(event, at: moment, line: line)] }
      switch did {
      case "hired":
        return event(TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: site, path: "/letter"))
      case "released": return event(TaskResumed(task: task, by: .app))
      case "arrived":
        return event(TaskTransferred(task: task, received: 20, status: 200))
          + event(TaskCompleted(task: task, received: 20, status: 200))
      case "lost": return event(TaskCompleted(task: task, domain: .curl, error: 28, errorName: "operationTimedOut"))
      default: return []
      }
    }
  }
}

/// Books with the times of `RecordedLog`.
enum PigeonBook {
  static func line(_ milliseconds: Int, _ did: String, _ bird: Int, _ more: String = "") -> String {
    #"{"at": \#(Double(RecordedLog.begin / 1_000_000_000) + Double(milliseconds) / 1000), "did": "\#(did)", "bird": \#(bird)\#(more)}"#
  }

  /// Pigeon 1 arrives, pigeon 2 is lost.
  static let lines = [
    "pigeon book", line(0, "hired", 1, #", "site": "dovecote.example.com""#), line(250, "released", 1),
    line(500, "hired", 2, #", "site": "dovecote.example.com""#), line(750, "released", 2), line(1500, "arrived", 1),
    line(4000, "lost", 2), "the end",
  ]

  static func write(_ lines: [String] = lines, to path: String) throws -> String {
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}
