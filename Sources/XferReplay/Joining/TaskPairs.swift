import XferEvents
import XferLifecycle

/// Finds tasks that may be confused with one another, or that do the same work twice.
struct TaskPairs: Sendable {
  /// The number of a task in a session of a program. Another program may have a session of the same name.
  private struct Number: Hashable {
    let program: String?
    let session: String
    let number: UInt32

    init(_ identity: TaskIdentity, of program: String?) {
      (self.program, session, number) = (program, identity.session, identity.number)
    }
  }

  /// The program, the address and the purpose of a task, as their hash: most tasks have a purpose of their own, and a number takes less
  /// memory and time than the texts. The address is compared when hashes are equal.
  private typealias Work = UInt64

  private enum Goal {
    case intent(RecordedText)
    case destination(RecordedText)
  }

  private struct Record {
    let task: TaskIdentity
    let bound: Fact
    let intent: String
  }

  /// The last task with each number, in background sessions.
  private var ofNumber: [Number: TaskTable.Place] = [:]
  private var records: [Number: Record] = [:]
  private var ofWork: [Work: TaskTable.Place] = [:]
  /// The keys of `ofWork` in order of insertion.
  private var works = Ring<Work>()

  /// The maximum number of keys in `ofWork`. When it is exceeded, the oldest key is forgotten.
  private static let limit = 65_536

  mutating func noteCreated(_ task: Int, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    if !world.background.isEmpty, world.sessionKind(of: world.tasks[task]) == .background {
      noteNumber(task, fact, process: process, in: &world)
    }
    noteWork(task, event, fact, process: process, in: &world)
  }

  private mutating func noteNumber(_ task: Int, _ fact: Fact, process: Int, in world: inout World) {
    let identity = world.tasks[task].identity
    let number = Number(identity, of: world.processes[process].executable)
    var same: TaskLifecycle.SameNumber?
    if let place = ofNumber[number], world.tasks.isCurrent(place), Int(place.index) != task {
      let other = world.tasks[Int(place.index)]
      if other.completed == nil, other.forgotten == nil, other.handedOff == nil, other.identity.uid != identity.uid,
        let created = other.created, let maker = other.owner, maker != process
      {
        same = .init(task: other.identity, fact: created, isRecord: false)
      }
    }
    if same == nil, let record = records[number], record.task.uid != identity.uid, isOpen(record, in: world) {
      same = .init(task: record.task, fact: record.bound, isRecord: true)
    }
    if let same { world.tasks[changing: task].facts.remark(.sharesNumber) { $0.sameNumber = same } }
    ofNumber[number] = world.tasks.place(task)
  }

  private func isOpen(_ record: Record, in world: World) -> Bool {
    world.intents.indexes.contains { place in
      let intent = world.intents[place]
      return intent.key == record.intent && intent.isOpen
        && intent.bindings.contains { $0.task.uid == record.task.uid && $0.unbound == nil }
    }
  }

  /// Notes that the app will find its record of a task by the task's number.
  mutating func noteBound(_ task: Int, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    guard let intent = event.intent?.key, event.key == "number" || event.key == "session+number",
      world.sessionKind(of: world.tasks[task]) == .background
    else { return }
    let identity = world.tasks[task].identity
    let program = world.processes[process].executable
    records[Number(identity, of: program)] = Record(task: identity, bound: fact, intent: intent)
  }

  private mutating func noteWork(_ task: Int, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    let destination = event.destination.flatMap { $0.isComparable ? Goal.destination($0) : nil }
    let intent = event.intent.flatMap { $0.isComparable ? Goal.intent($0) : nil }
    for case let goal? in [destination, intent] { noteWork(task, goal, process: process, in: &world) { Self.mayCollide($0) } }
  }

  /// Notes an intent that the app declared or bound after it had created the task.
  mutating func noteIntent(_ task: Int, _ event: EventView, process: Int, in world: inout World) {
    guard let intent = event.intent, intent.isComparable, world.tasks[task].isLive else { return }
    noteWork(task, .intent(intent), process: process, in: &world) { Self.mayCollide($0) }
  }

  /// Notes the destination of a downloaded file. If an earlier task of the same resource used the destination, too, and both
  /// transferred at the same time, one file has replaced the other.
  mutating func noteClaimed(_ task: Int, _ event: EventView, process: Int, in world: inout World) {
    guard event.osError == nil, let destination = event.destination, destination.isComparable,
      let began = world.tasks[task].firstAttempt
    else { return }
    noteWork(task, .destination(destination), process: process, in: &world) { other in
      guard let end = other.wireEnd ?? other.completed else { return false }
      return end.duration(to: began) ?? .zero < .zero
    }
  }

  private static func mayCollide(_ other: TaskLifecycle) -> Bool {
    other.isLive && other.cancelRequested == nil && other.coalesced == nil && other.result != .lost
  }

  private mutating func noteWork(
    _ task: Int, _ goal: Goal, process: Int, in world: inout World, where collides: (TaskLifecycle) -> Bool
  ) {
    guard let work = Self.work(world.tasks[task], goal, of: world.processes[process].executable) else { return }
    if let place = ofWork[work], Int(place.index) != task, world.tasks.isCurrent(place) {
      compare(task, with: Int(place.index), goal, in: &world, where: collides)
    }
    if ofWork.updateValue(world.tasks.place(task), forKey: work) == nil {
      works.append(work)
      if works.count > Self.limit, let oldest = works.popFirst() { ofWork[oldest] = nil }
    }
  }

  private func compare(
    _ task: Int, with index: Int, _ goal: Goal, in world: inout World, where collides: (TaskLifecycle) -> Bool
  ) {
    let isSame = if case .destination = goal { true } else { false }
    let (lifecycle, other) = (world.tasks[task], world.tasks[index])
    if let twin = lifecycle.oddities.twin, !isSame || twin.hasSameDestination { return }
    guard other.type == lifecycle.type, let created = other.created, let address = Address(of: lifecycle),
      Address(of: other) == address, collides(other)
    else { return }
    world.tasks[changing: task].facts.remark(.hasTwin) {
      $0.twin = .init(task: other.identity, index: index, created: created, hasSameDestination: isSame)
    }
  }

  /// - Returns: `nil` if the log contains too little of the task's URL to distinguish it from others.
  private static func work(_ task: TaskLifecycle, _ goal: Goal, of executable: String?) -> Work? {
    var hash = WordHash()
    guard Address.combine(task, into: &hash) else { return nil }
    if let executable { hash.combine(executable) }
    switch goal {
    case .intent(let text): hash.combine(text)
    case .destination(let text):
      hash.combine(1)
      hash.combine(text)
    }
    return hash.value
  }

  /// Forgets a task that was closed.
  mutating func forget(_ task: TaskLifecycle, at place: TaskTable.Place, in world: World) {
    guard !ofNumber.isEmpty else { return }
    let number = Number(task.identity, of: task.owner.flatMap { world.processes[$0].executable })
    if ofNumber[number] == place { ofNumber[number] = nil }
  }
}
