import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Logs in which every text is one that means something in an output format: fields, messages, keys, and the names of sessions, programs,
/// files, events and rules.
final class HostileLog: Sendable {
  private let directory = TemporaryDirectory()
  let log: String
  /// A run of the same app with other outcomes, for comparisons.
  let other: String
  /// Lines of another program.
  let foreign: String
  /// Lines of another program, with the texts as they are.
  let prints: String
  /// An event and a field that the program's vocabulary lacks.
  let newer: String
  /// A log with unreadable records.
  let damaged: String
  /// One segment of that log, whose gaps have the name of the file.
  let segment: String
  let rules: String
  let suppressions: String
  /// The tasks of `log` with the texts as session names, by the place of the text.
  static func uid(_ place: Int) -> String { "\(TaskUID(high: 3, low: UInt64(place) + 1))" }

  /// The texts that occur alone in the fields of tasks.
  static let texts =
    JobContentTests.texts + [
      "=1+1", "+1;x", "-2+3", "@SUM(A1)", "=cmd|'/C calc'!A1", "a=b c=\"d\"", "\"", "'", "\\\"", "a,b", "k=v", "a\\|b",
      "</script>",
      "www.evil.example", "a@b.example", ":smile:", "$x$ $", "<b>&lt;b&gt;</b>", "~~s~~ **b**", "\r\nINJECTED",
      "\n::error::INJECTED", "<!DOCTYPE @x", "\\*e\\* \\`c\\`", "`a` `b`", "[^1] [ ] [x]: y", "&lt;i&gt;",
    ]

  /// All kinds of characters in one text.
  static let mixture = HostileTextTests.texts.joined() + "\nINJECTED=\"'<b>&amp;|`*_[x](y){0}@x,\\"

  /// A file name. A part of a path has no slash.
  static let name =
    "\u{1b}[2J\nINJECTED \u{202e}\u{ad}<img src=x onerror=owned=1>&lt;|`*_[x](y){0}@x #1 %0A::,;\"'\\ www.x.y.xlog"

  init() throws {
    let log = try RecordedLog(in: directory, name: Self.name, executable: Self.name)
    var time: Int64 = 0
    for kind in EventKind.allCases {
      time += 1
      var chooser = FieldChooser(.all, seed: UInt64(kind.rawValue), text: Self.mixture, symbol: Self.mixture)
      log.emitAny(at: time, EventSamples.event(kind, &chooser))
    }
    for (place, text) in Self.texts.enumerated() {
      Self.emit(text, place, at: 1000 + Int64(place) * 20, fails: place % 3 == 0, to: log)
    }
    log.emit(at: 900_000, AppNoted(intent: "x", message: "the end"))
    log.close()
    self.log = log.path

    let other = try RecordedLog(in: directory, name: "other" + Self.name, seed: 2, executable: Self.name)
    for (place, text) in Self.texts.enumerated() where place % 5 != 0 {
      Self.emit(text, place, at: Int64(place) * 20, fails: place % 3 == 1, to: other)
    }
    other.close()
    self.other = other.path

    newer = try Self.newerLog(in: directory)
    damaged = directory.path("damaged" + Self.name)
    try FileManager.default.copyItem(atPath: other.path, toPath: damaged)
    let first = try #require(FileManager.default.contentsOfDirectory(atPath: damaged).first { $0.hasSuffix(".seg") })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(damaged)/\(first)"))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 64, with: Data(repeating: 0x5A, count: 64))
    // The middle may be an unused part of a chunk. These paths are in records.
    for path in ["/a,b", "/k=v"] {
      if let place = bytes.range(of: Data(path.utf8)) { bytes[place.lowerBound] ^= 1 }
    }
    try bytes.write(to: URL(fileURLWithPath: "\(damaged)/\(first)"))
    segment = directory.path("segment" + Self.name.replacing(".xlog", with: ".seg"))
    try bytes.write(to: URL(fileURLWithPath: segment))
    foreign = directory.path("foreign" + Self.name.replacing(".xlog", with: ".ndjson"))
    let lines = try Self.texts.enumerated().map { place, text in
      let object: [String: Any] = [
        "timestamp": "2026-11-24T10:00:\(10 + place % 50).000Z", "subsystem": text, "category": text, "processID": 7, text: text,
        "eventMessage": "Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<\(place + 1)> finished with error [-1001] \(text)",
        "processImagePath": "/\(text)/app", "eventType": "logEvent", "threadID": 1, "messageType": "Error",
        "machTimestamp": place,
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]), as: UTF8.self)
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: foreign))

    prints = directory.path("prints" + Self.name.replacing(".xlog", with: ".log"))
    let texts = Self.texts.map { String($0.map { $0.isNewline ? " " : $0 }) }
    let print = texts.enumerated().map { place, text in
      "2026-11-24 10:00:\(10 + place % 50).000000+0000 0x1 Error 0x0 7 0 app: (CFNetwork) [com.apple.CFNetwork:Default] "
        + "Task <6B29FC40-CA47-1067-B31D-00DD01066\(100 + place)>.<\(place + 1)> finished with error [-1001] \(text)\n"
    }
    try Data(print.joined().utf8).write(to: URL(fileURLWithPath: prints))

    rules = directory.path("rules" + Self.name + ".yaml")
    try Data(Self.ruleText.utf8).write(to: URL(fileURLWithPath: rules))
    suppressions = directory.path("s" + Self.name + ".yaml")
    try Data("version: 1\nfindings: []\n".utf8).write(to: URL(fileURLWithPath: suppressions))
  }

  /// Writes the events of a download, and a note from which the rules make a finding.
  private static func emit(_ text: String, _ place: Int, at time: Int64, fails: Bool, to log: RecordedLog) {
    let task = TaskIdentity(uid: TaskUID(high: 3, low: UInt64(place) + 1), session: text, number: UInt32(place))
    log.emit(at: time, SessionCreated(session: text, instance: CorrelationID(UInt64(place)), sessionKind: .default))
    log.emit(
      at: time + 1,
      TaskCreated(
        task: task, type: .download, completion: .delegate, method: text, scheme: "https", host: text, path: "/\(text)",
        label: text,
        intent: text))
    log.emit(at: time + 2, TaskResumed(task: task, by: .app))
    log.emit(at: time + 3, AttemptStarted(task: task, attempt: 1, scheme: text, host: text))
    log.emit(
      at: time + 4, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 1, contentType: text, etag: text))
    log.emit(at: time + 5, AppNoted(task: task, intent: text, message: text))
    var message: LogMessage = "\(text, privacy: .public)"
    message.attach(text, text, privacy: .public)
    log.emit(at: time + 7, MessageError(subsystem: text, category: text, eventMessage: message, fileID: text, function: text))
    log.emit(at: time + 8, TaskTransferred(task: task, received: 1, sent: 0, status: 200))
    log.emit(at: time + 9, AppNoted(intent: text, message: "error"))
    if fails {
      log.emit(at: time + 10, TaskCompleted(task: task, domain: .curl, error: 28, errorName: text, message: text))
    } else {
      log.emit(at: time + 10, TaskCompleted(task: task, received: 1, sent: 0, status: 200))
    }
  }

  /// Writes a log of a newer vocabulary: the names of an event and of a field are replaced in the file.
  private static func newerLog(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory, name: "newer.xlog")
    log.emit(at: 1, AppBeatSent(name: "beat"))
    log.emit(at: 2, NetworkPathChanged(up: true, expensive: true, name: "wlan0"))
    let task = TaskIdentity(uid: TaskUID(high: 4, low: 1), session: "s", number: 1)
    log.emit(at: 3, TaskCreated(task: task, type: .data))
    log.emit(at: 4, TaskHeld(task: task, hold: .hostSlots, host: "h", slotsUsed: 3, slots: 3))
    log.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: log.path).filter { $0.hasSuffix(".seg") }
    for name in names {
      let path = "\(log.path)/\(name)"
      var draft = SegmentDraft(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      // The digest of the writer's vocabulary.
      draft.header[128] ^= 1
      for chunk in draft.chunks.indices where draft.chunks[chunk].isDictionary {
        for record in draft.chunks[chunk].records.indices {
          for (old, new) in [
            ("app.beatSent", "\u{1b}[2J\n<b>@=\"|"), ("expensive", "\u{1b}\n=<i>\"@,"), ("slotsUsed", "<i>&\"@=\u{1b}\n"),
          ] {
            draft.chunks[chunk].records[record].payload.replace(Array(old.utf8), with: Array(new.utf8))
          }
        }
      }
      try Data(draft.bytes()).write(to: URL(fileURLWithPath: path))
    }
    return log.path
  }

  /// Returns a text as a string of YAML, which is one of JSON, too, unless a character exceeds 16 bits.
  static func yaml(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let digits = String(scalar.value, radix: 16)
      if scalar == "\"" || scalar == "\\" {
        result += "\\\(scalar)"
      } else if scalar.value > 0x1F, scalar.value < 0x7F {
        result.unicodeScalars.append(scalar)
      } else if scalar.value <= 0xFFFF {
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return result + "\""
  }

  private static let ruleText = """
    rules:
      - id: noted-error
        severity: error
        summary: "{intent}"
        explanation: The event itself is the problem.
        remedy: Do not note it.
        per: log
        when: {event: app.noted, fields: {message: error}}
        expect: none

    """ + moreRules

  /// Two entries of a rule file: a rule whose texts are hostile, with an example that fails, and a rule about tasks.
  static var moreRules: String {
    let text = yaml(mixture.filter { $0 != "\0" }.replacing("{", with: "{{").replacing("}", with: "}}"))
    return """
        - id: hostile-rule
          severity: error
          summary: \(text)
          explanation: \(text)
          remedy: \(text)
          sources: [\(text)]
          per: log
          when: {event: app.noted, fields: {message: hostile}}
          expect: none
          reports:
            - name: \(text)
              events: [{at: 0, event: app.noted, fields: {message: \(text)}}]
        - id: noted-task
          severity: error
          summary: "{session}"
          explanation: The event itself is the problem.
          remedy: Do not note it.
          per: task
          when: {event: app.noted, fields: {message: task}}
          expect: none

      """
  }
}

extension RecordedLog {
  fileprivate func emitAny(at milliseconds: Int64, _ event: any TransferEvent) { emit(at: milliseconds, event) }
}
