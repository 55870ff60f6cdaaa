import Testing
import XferEvents

/// The consistency of the tables from which events and documents are generated.
struct VocabularyTests {
  private func repeated<Value: Hashable & Comparable>(_ values: [Value]) -> [Value] {
    Dictionary(grouping: values) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }

  @Test func `Names and numbers are unique`() {
    #expect(repeated(Vocabulary.events.map(\.name)) == [])
    #expect(repeated(Vocabulary.events.map(\.number)) == [])
    #expect(repeated(Vocabulary.fields.map(\.name)) == [])
    #expect(repeated(Vocabulary.families.map(\.name)) == [])
    #expect(repeated(Vocabulary.choices.map(\.name)) == [])
    for choice in Vocabulary.choices { #expect(repeated(choice.cases.map(\.name)) == [], "\(choice.name)") }
    for event in Vocabulary.events { #expect(repeated(event.fields) == [], "\(event.name)") }
  }

  @Test func `Numbers fit the space in which they are stored`() {
    // Lanes store one bit per event number below 256, and privacy policies one bit per field.
    #expect(Vocabulary.events.filter { $0.number == 0 || $0.number >= 256 }.map(\.name) == [])
    #expect(Vocabulary.fields.count <= 255)
    #expect(Vocabulary.choices.filter { $0.cases.isEmpty || $0.cases.count > 256 }.map(\.name) == [])
    #expect(Vocabulary.events.filter { $0.fields.count > EventLayout.maximumFields }.map(\.name) == [])
  }

  @Test func `Every event's fields are defined, and every field is used by an event`() {
    let known = Set(Vocabulary.fields.map(\.name))
    for event in Vocabulary.events {
      #expect(event.fields.filter { !known.contains($0) } == [], "\(event.name)")
    }
    let used = Set(Vocabulary.events.flatMap(\.fields))
    #expect(Vocabulary.fields.map(\.name).filter { !used.contains($0) } == [])
  }

  @Test func `Every field's choice is defined, and every choice is used by a field`() {
    let named = Set(
      Vocabulary.fields.compactMap { field -> String? in
        if case .choice(let name) = field.type { name } else { nil }
      })
    let known = Set(Vocabulary.choices.map(\.name))
    #expect(named.subtracting(known) == [])
    #expect(known.subtracting(named) == [])
  }

  @Test func `An event follows only events of its own family, and each family has a first event`() {
    let events = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.name, $0) })
    for event in Vocabulary.events {
      #expect(!event.follows.isEmpty, "\(event.name)")
      #expect(repeated(event.follows) == [], "\(event.name)")
      if event.follows.contains("any") { #expect(event.follows == ["any"], "\(event.name)") }
      for name in event.follows where name != "any" && name != "start" {
        #expect(events[name] != nil, "\(event.name) follows \(name)")
        #expect(events[name]?.family == event.family, "\(event.name) follows \(name)")
      }
    }
    for family in Vocabulary.families {
      let first = Vocabulary.events.filter { $0.family == family.name && !Set($0.follows).isDisjoint(with: ["any", "start"]) }
      #expect(!first.isEmpty, "\(family.name)")
    }
  }

  @Test func `Every event of a family can be reached from a first event`() {
    for family in Vocabulary.families {
      let events = Vocabulary.events.filter { $0.family == family.name }
      var reached = Set(events.filter { !Set($0.follows).isDisjoint(with: ["any", "start"]) }.map(\.name))
      for _ in events {
        for event in events where !reached.isDisjoint(with: event.follows) { reached.insert(event.name) }
      }
      #expect(events.map(\.name).filter { !reached.contains($0) } == [], "\(family.name)")
    }
  }

  @Test func `A message contains only fields of its event`() throws {
    for event in Vocabulary.events {
      #expect(!event.message.isEmpty, "\(event.name)")
      var rest = event.message[...]
      while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
        #expect(rest[open] == "{", "\(event.name): a brace closes what none opened")
        let close = try #require(rest[open...].firstIndex(of: "}"), "\(event.name): a brace is left open")
        let name = String(rest[rest.index(after: open)..<close])
        // `{session}` of an event about a task is the session of the task.
        #expect(event.fields.contains(name), "\(event.name) names {\(name)}")
        rest = rest[rest.index(after: close)...]
      }
    }
  }

  @Test func `Every event belongs to a family and has the family's subject`() {
    let families = Dictionary(uniqueKeysWithValues: Vocabulary.families.map { ($0.name, $0) })
    for event in Vocabulary.events {
      #expect(event.name.split(separator: ".", omittingEmptySubsequences: false).count == 2, "\(event.name)")
      guard let family = families[event.family] else {
        Issue.record("\(event.name) has no family")
        continue
      }
      // A rejected task has no identity.
      let exceptions = ["task.rejected", "task.creationFailed"]
      if let subject = family.subject, !exceptions.contains(event.name) {
        #expect(event.fields.contains(subject), "\(event.name) lacks \(subject)")
        #expect(FieldID(name: subject) != nil)
      }
    }
    for family in Vocabulary.families {
      #expect(Vocabulary.events.contains { $0.family == family.name }, "\(family.name) has no event")
    }
  }

  @Test func `Every event about a subject requires a field`() {
    for event in Vocabulary.events {
      let isGeneral = Vocabulary.families.first { $0.name == event.family }?.subject == nil
      let isProcess =
        ["process", "link"].contains(event.family) || ["task.rejected", "task.creationFailed"].contains(event.name)
      #expect(event.required.isEmpty == (isGeneral || isProcess), "\(event.name)")
    }
  }

  @Test func `Lifecycle events have a level that is written by default`() {
    for event in Vocabulary.events where event.importance == .lifecycle {
      #expect(event.level >= .default, "\(event.name)")
    }
  }

  @Test func `Every field, choice and case has a summary`() {
    for field in Vocabulary.fields { #expect(field.summary.hasSuffix("."), "\(field.name)") }
    for choice in Vocabulary.choices {
      #expect(choice.summary.hasSuffix("."), "\(choice.name)")
      for value in choice.cases { #expect(!value.summary.isEmpty, "\(choice.name).\(value.name)") }
    }
    for family in Vocabulary.families { #expect(family.summary.hasSuffix("."), "\(family.name)") }
  }

  @Test func `The compiled kinds, fields and layouts match the table`() {
    #expect(EventKind.allCases.map(\.name) == Vocabulary.events.map(\.name))
    #expect(EventKind.allCases.map(\.rawValue) == Vocabulary.events.map(\.number))
    #expect(FieldID.allCases.count == Vocabulary.fields.count)
    for event in Vocabulary.events {
      let layout = EventLayout.known[Int(event.number)]
      #expect(layout?.name == event.name)
      #expect(layout?.kind?.name == event.name)
      #expect(layout?.level == event.level)
      #expect(layout?.readingOrder.compactMap { layout?.fields[$0].name } == event.fields)
      #expect(layout?.presenceSize == (event.fields.count > 32 ? 8 : 4))
    }
  }

  @Test func `A level is parsed from its name and from common synonyms`() {
    for level in Level.allCases { #expect(Level(name: level.name) == level) }
    #expect(Level(name: "Notice") == .default)
    #expect(Level(name: "WARNING") == .error)
    #expect(Level(name: "f") == .fault)
    #expect(Level(name: "loud") == nil)
    #expect(Level.debug < .info && Level.info < .default && Level.default < .error && Level.error < .fault)
  }
}
