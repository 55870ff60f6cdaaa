import Testing
import XferEvents
import XferQuery
import XferReplay
import XferReport

@testable import XferDiagnosis

/// Tests that the state at an event does not depend on the path by which a timeline reached the event.
struct TimelineTests {
  /// Returns a state as JSON.
  private static func text(_ state: StateDocument) -> String {
    var text = TextBuffer()
    text.appendJSON { state.writeJSON(at: StatePlace(number: 0, event: nil), to: &$0) }
    return text.string
  }

  private static func fresh(_ members: [LogMember]) -> [String] {
    (0...members.count).map { count in
      var replay = SteppingReplay()
      for member in members.prefix(count) { replay.apply(member) }
      return text(replay.state)
    }
  }

  /// Returns a rule's examples except floods of a thousand tasks, whose states are large and add nothing to the test.
  private static func examples(of rule: RuleDescription) -> [RuleExample] {
    (rule.reports + rule.staysSilent).filter { $0.steps.count <= 200 }
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `After steps forward, back and by leaps, the state equals that of a fresh replay`(_ rule: RuleDescription) {
    for (number, example) in Self.examples(of: rule).enumerated() {
      let members = example.members()
      let fresh = Self.fresh(members)
      // Few snapshots, close together, so that a short log exercises all that can happen to them.
      var timeline = Timeline(members, spacing: 1 + number % 3, limit: 2 + number % 2)
      var path = Array(0...members.count) + (0...members.count).reversed()
      path += (0..<members.count).map { $0 * 7 % (members.count + 1) }
      for place in path {
        timeline.go(to: place)
        #expect(timeline.position == place)
        #expect(Self.text(timeline.state) == fresh[place], "\(rule.id): \(example.name): after \(place) members")
      }
    }
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `The changes between two states describe exactly their differences`(_ rule: RuleDescription) {
    for example in Self.examples(of: rule) {
      var timeline = Timeline(example.members())
      var before = timeline.state
      for place in 1...max(1, timeline.members.count) {
        timeline.go(to: place)
        let after = timeline.state
        let changes = after.changes(since: before)
        #expect(changes.isEmpty == (after.sections == before.sections))
        for change in changes {
          let was = before[change.kind].first { $0.id == change.entity.id }
          let isNow = after[change.kind].first { $0.id == change.entity.id }
          #expect((was == nil) == (change.manner == .appeared) && (isNow == nil) == (change.manner == .disappeared))
          if change.manner == .changed { #expect(!change.fields.isEmpty, "\(rule.id): \(example.name): \(change.entity.id)") }
        }
        before = after
      }
    }
  }

  @Test func `Entities of the same kind have unique IDs`() {
    for example in RuleCatalogue.descriptions.flatMap(Self.examples) {
      var timeline = Timeline(example.members())
      timeline.go(to: timeline.members.count)
      for section in timeline.state.sections {
        #expect(Set(section.entities.map(\.id)).count == section.entities.count, "\(example.name): \(section.kind)")
      }
    }
  }

  @Test func `Ended tasks are removed from the state beyond the limit, and counted`() {
    let archive = EventArchive(number: 1, name: "many", writer: ExampleProcess.app.writer)
    var members: [LogMember] = []
    for number in 1...1100 {
      let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number)), session: "many", number: UInt32(number))
      let moment = Moment(monotonic: Int64(number))
      members.append(.event(archive.record(TaskCreated(task: task, type: .data), at: moment)))
      members.append(.event(archive.record(TaskCompleted(task: task, status: 200), at: moment)))
      members.append(.event(archive.record(TaskAcknowledged(task: task), at: moment)))
    }
    var timeline = Timeline(members)
    timeline.go(to: members.count)
    #expect(timeline.state.left == 100)
    #expect(timeline.state[.tasks].count == 1000)
    let end = Self.text(timeline.state)
    timeline.go(to: 10)
    #expect(timeline.state.left == 0 && timeline.state[.tasks].count == 4)
    timeline.go(to: members.count)
    #expect(Self.text(timeline.state) == end)
  }
}
