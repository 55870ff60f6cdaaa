import LogTestSupport
import Testing
import XferEvents

struct EventSampleTests {
  @Test(arguments: FieldChooser.Pattern.allCases)
  func `Every event is read back with the fields that were set`(pattern: FieldChooser.Pattern) {
    for seed in seeds(8, campaign: 400) {
      let archive = EventArchive(name: "samples", writer: WriterContext())
      for kind in EventKind.allCases {
        var chooser = FieldChooser(pattern, seed: seed &* 1_000_003 &+ UInt64(kind.rawValue))
        let event = EventSamples.event(kind, &chooser)
        let recorded = archive.record(event, at: Moment(monotonic: Int64(seed)))
        let expected = chooser.expected

        #expect(recorded.kind == kind, "seed \(seed)")
        #expect(recorded.values.map(\.name) == expected.map(\.name), "\(kind.name), seed \(seed)")
        #expect(recorded.values.map(\.value) == expected.map(\.value), "\(kind.name), seed \(seed)")
        let present = Dictionary(uniqueKeysWithValues: expected)
        for field in FieldID.allCases {
          let name = field.definition.name
          #expect(EventSamples.value(field, of: recorded) == present[name], "\(kind.name).\(name), seed \(seed)")
        }
      }
    }
  }

  @Test func `A field is found by its name, and a missing field is nil`() {
    let archive = EventArchive(name: "samples", writer: WriterContext())
    let event = archive.record(NetworkPathChanged(up: true, name: "wlan0"), at: Moment())
    #expect(event.value(named: "name") == .text(.plain("wlan0")))
    #expect(event.value(named: "up") == .flag(true))
    #expect(event.value(named: "expensive") == nil)
    #expect(event.value(named: "task") == nil)
    #expect(event.value(named: "no such field") == nil)
  }

  @Test func `An archive numbers its events per lane and keeps line numbers`() {
    let archive = EventArchive(number: 4, name: "samples", writer: WriterContext(pid: 12))
    let moment = Moment(monotonic: 5, boottime: nil, wall: WallTime(nanoseconds: 7))
    let first = archive.record(ProtectionEnabled(), at: moment, lane: 2, thread: 9)
    let second = archive.record(ProtectionDisabled(), at: Moment(), lane: 2)
    let other = archive.record(ProtectionDisabled(), at: Moment(), lane: 3)
    let line = archive.record(ProtectionDisabled(), at: Moment(), line: 77)
    #expect(first.reference == .record(segment: 4, lane: 2, sequence: 0))
    #expect(second.reference == .record(segment: 4, lane: 2, sequence: 1))
    #expect(other.reference == .record(segment: 4, lane: 3, sequence: 0))
    #expect(line.reference == .line(file: 4, line: 77))
    #expect(first.moment == moment)
    #expect(second.moment == Moment())
    #expect((first.thread, second.thread).0 == 9 && second.thread == nil)
    #expect(first.source.writer.pid == 12)
  }
}
