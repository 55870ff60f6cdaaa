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
}
