import Testing
import XferEvents

struct EventArchiveTests {
  /// Names that come again are found in a cache. It is emptied after some thousand names, and has no long ones.
  @Test func `Names come back as they were recorded, however many there are`() {
    let archive = EventArchive(name: "test", writer: WriterContext())
    var events: [(event: RecordedEvent, name: String)] = []
    for round in 0..<3 {
      for number in 0..<9000 {
        let name = number % 100 == 0 ? String(repeating: "long ", count: 40) + "\(number)" : "name \(number / 3)"
        let message = MessageDefault(
          subsystem: name, category: "\(number % 7)", eventMessage: LogMessage(text: "round \(round)", privacy: .public))
        events.append((archive.record(message, at: Moment(monotonic: Int64(number)), line: UInt64(number)), name))
      }
    }
    let wrong = events.enumerated().filter { place, recorded in
      recorded.event.value(named: "subsystem") != .text(.plain(recorded.name))
        || recorded.event.value(named: "category") != .text(.plain("\(place % 9000 % 7)"))
    }
    #expect(wrong.map(\.offset) == [])
  }

  @Test(arguments: ["", "a text", "Grüße {} {name} \u{1F600}", String(repeating: "long {", count: 900)])
  func `A message recorded from bytes equals the same message recorded as an event`(text: String) {
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "s", number: 3)
    let (archive, other) = (
      EventArchive(name: "test", writer: WriterContext()), EventArchive(name: "test", writer: WriterContext())
    )
    let message = LogMessage(text: text, privacy: .public)
    let moment = Moment(monotonic: 5)
    var bytes = text
    for named in [nil, task] {
      for subsystem in [nil, "com.example"] {
        let events = [
          archive.record(
            MessageDebug(subsystem: subsystem, category: "c", eventMessage: message, task: named), at: moment, line: 9, thread: 4),
          archive.record(
            MessageFault(subsystem: subsystem, eventMessage: message, task: named), at: moment, line: 10, thread: 4),
        ]
        let copies = bytes.withUTF8 { bytes in
          [(EventKind.messageDebug, "c", 9 as UInt64), (.messageFault, nil, 10)].map { kind, category, line in
            other.record(
              message: UnsafeRawBufferPointer(bytes), kind, subsystem: subsystem, category: category, task: named, at: moment,
              line: line, thread: 4)
          }
        }
        for (event, copy) in zip(events, copies) { #expect(event.view.hasSameContent(as: copy.view)) }
      }
    }
  }

  @Test func `Events of many threads keep their threads and times`() {
    let archive = EventArchive(name: "test", writer: WriterContext())
    var events: [(event: RecordedEvent, thread: UInt32, time: Int64)] = []
    for number in 0..<2000 {
      let (thread, time) = (UInt32(number * 7 % 40 + 1), Int64(number * number % 1009))
      events.append(
        (
          archive.record(MessageInfo(category: "c"), at: Moment(monotonic: time), line: UInt64(number), thread: thread), thread,
          time
        ))
    }
    let wrong = events.filter { $0.event.thread != $0.thread || $0.event.view.moment.monotonic != $0.time }
    #expect(wrong.map(\.time) == [])
  }
}
