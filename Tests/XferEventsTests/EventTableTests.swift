import Testing
import XferEvents

/// The columns of the event table, and the functions of `EventKind` that are generated from them.
struct EventTableTests {
  private static let definitions = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.number, $0) })

  private static func definition(_ kind: EventKind) throws -> EventDefinition {
    try #require(definitions[kind.rawValue])
  }

  // MARK: The table

  @Test func `Every event names the model that consumes it, or declares that none does`() {
    for event in Vocabulary.events { #expect(event.model != nil, "\(event.name)") }
    let used = Set(Vocabulary.events.compactMap(\.model))
    #expect(ReplayModel.allCases.filter { !used.contains($0) } == [])
  }

  @Test func `Every event has a role that can write it, and the fields that it requires`() {
    for event in Vocabulary.events {
      #expect(!event.writers.isEmpty, "\(event.name)")
      #expect(event.required.filter { !event.fields.contains($0) } == [], "\(event.name)")
    }
  }

  @Test func `A pair is opened by one event, and one of those that close it is not an error`() {
    for pair in EventPair.allCases {
      #expect(Vocabulary.events.count { $0.pairing == .opens(pair) } == 1, "\(pair)")
      #expect(Vocabulary.events.count { $0.pairing == .closes(pair) && $0.level < .error } == 1, "\(pair)")
      #expect(pair.end.pairing == .closes(pair))
    }
  }

  @Test func `A cause and its effect have the field that joins them`() throws {
    for effect in Vocabulary.events {
      guard let cause = effect.cause else { continue }
      let causing = try #require(Vocabulary.events.first { $0.name == cause.event }, "\(effect.name)")
      #expect(causing.fields.contains(cause.field) && effect.fields.contains(cause.field), "\(effect.name)")
      guard let condition = cause.condition else { continue }
      #expect(effect.fields.contains(condition.field), "\(effect.name)")
      let field = try #require(Vocabulary.fields.first { $0.name == condition.field })
      guard case .choice(let list) = field.type else {
        Issue.record("\(effect.name): \(condition.field) is not a choice")
        continue
      }
      #expect(Vocabulary.caseNumber(condition.value, of: list) != nil, "\(effect.name)")
    }
  }

  // MARK: The generated functions

  @Test(arguments: EventKind.allCases)
  func `The columns of a kind are those of its definition`(_ kind: EventKind) throws {
    let event = try Self.definition(kind)
    let model = try #require(event.model)
    #expect("\(kind.model)".prefix { $0 != "(" } == model.rawValue)
    #expect(kind.importance == event.importance)
    #expect(kind.pairing == event.pairing)
    let isTallied = event.pairing != nil || event.importance == .diagnostic || event.name == "task.completed"
    #expect(kind.isTallied == isTallied)
    #expect(kind.orderedFamily.map { "\($0)" } == event.orderedFamily?.name)
    #expect(kind.writerRoles == event.writers)
    for role in WriterRole.allCases { #expect(kind.isWritten(by: role) == event.writers.contains(role), "\(role)") }
  }

  @Test(arguments: EventKind.allCases)
  func `An event may follow the events of its definition and no others`(_ kind: EventKind) throws {
    let follows = try Self.definition(kind).follows
    let isAny = follows == ["any"]
    #expect(kind.mayFollow(nil) == (isAny || follows.contains("start")))
    for previous in EventKind.allCases {
      #expect(kind.mayFollow(previous) == (isAny || follows.contains(previous.name)), "\(previous.name)")
    }
  }

  @Test func `A cause and its effect have the same key, and no other event has one`() {
    let archive = EventArchive(name: "causes", writer: WriterContext())
    func keys(_ event: some TransferEvent) -> (ofEffect: CausalKey?, ofCause: CausalKey?) {
      let view = archive.record(event, at: Moment()).view
      return (view.keyOfEffect(type(of: event).kind), view.keyOfCause(type(of: event).kind))
    }
    let (launch, handler, delivery) = (LaunchID(high: 1, low: 2), HandlerID(3), DeliveryID(4))

    let launched = keys(WakeLaunched(session: "s", launch: launch))
    #expect(launched.ofEffect != nil && launched.ofCause == nil)
    #expect(keys(ProcessStarted(launch: launch, startReason: .transfer)).ofCause == launched.ofEffect)
    #expect(keys(ProcessStarted(launch: launch, startReason: .user)).ofCause == nil)

    let delivered = keys(WakeDelivered(session: "s", handler: handler))
    #expect(delivered.ofEffect != nil && delivered.ofCause == nil)
    #expect(keys(WakeHandlerCalled(session: "s", handler: handler)).ofCause == delivered.ofEffect)

    let sent = keys(DeliverySent(delivery: delivery, callback: .didComplete))
    #expect(sent.ofEffect != nil && sent.ofCause == nil)
    #expect(keys(DeliveryReceived(delivery: delivery, callback: .didComplete)).ofCause == sent.ofEffect)
    #expect(keys(DeliveryEntered(delivery: delivery, callback: .didComplete)).ofCause == nil)

    let causal = EventKind.allCases.filter(\.isCausal)
    #expect(
      Set(causal) == [.wakeLaunched, .processStarted, .wakeDelivered, .wakeHandlerCalled, .deliverySent, .deliveryReceived])
  }
}
