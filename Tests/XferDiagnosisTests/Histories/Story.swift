import LogTestSupport
import XferEvents

/// A history under construction, with its clock, random numbers and identifiers.
struct Story {
  var history: History
  var random: SeededRandom
  /// The monotonic time of the last event, in nanoseconds.
  var now: Int64 = .seconds(1)
  private var identifiers: UInt64 = 0
  private var numbers: [String: UInt32] = [:]

  init(seed: UInt64) {
    history = History(seed: seed)
    random = SeededRandom(seed: seed &* 0x2545_F491_4F6C_DD1D)
  }

  /// A step of a strand.
  enum Move {
    case tell(Pen, any TransferEvent, after: Int64 = .microseconds(40))
    /// A callback, during which no other callback runs on its session's queue.
    case callback(queue: String, [Move])
    case pause(Int64)
  }

  // MARK: Random choices

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices.randomElement(using: &random)! }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func briefly() -> Int64 { .microseconds(number(5...3000)) }

  // MARK: Identifiers

  mutating func identifier() -> UInt64 {
    identifiers += 1
    return history.seed << 20 | identifiers
  }

  mutating func delivery() -> DeliveryID { DeliveryID(identifier()) }
  mutating func correlation() -> CorrelationID { CorrelationID(identifier()) }

  mutating func task(of session: String) -> TaskIdentity {
    numbers[session, default: 0] += 1
    return TaskIdentity(
      uid: TaskUID(high: history.seed, low: identifier()), session: session, number: numbers[session]!)
  }

  mutating func note(_ feature: History.Feature) { history.features.insert(feature) }

  // MARK: Adding events

  mutating func tell(_ pen: Pen, _ event: any TransferEvent, after: Int64 = .microseconds(40)) {
    now += after
    history.tellings.append(.init(event: event, pen: pen, time: now))
  }

  mutating func tell(_ moves: [Move]) { together([moves]) }

  /// Adds several strands concurrently, each in its own order.
  mutating func together(_ strands: [[Move]]) {
    let start = now
    var times = [Int64](repeating: start, count: strands.count)
    var places = [Int](repeating: 0, count: strands.count)
    var busy: [String: Int64] = [:]
    while let strand = strands.indices.filter({ places[$0] < strands[$0].count }).min(by: { times[$0] < times[$1] }) {
      defer { places[strand] += 1 }
      switch strands[strand][places[strand]] {
      case .pause(let length): times[strand] += length
      case .tell(let pen, let event, let after):
        times[strand] += after
        history.tellings.append(.init(event: event, pen: pen, time: times[strand]))
      case .callback(let queue, let moves):
        times[strand] = max(times[strand], busy[queue] ?? 0)
        for case .tell(let pen, let event, let after) in moves {
          times[strand] += after
          history.tellings.append(.init(event: event, pen: pen, time: times[strand]))
        }
        busy[queue] = times[strand]
      }
    }
    now = max(now, times.max() ?? now)
    sort()
  }

  /// Sorts the events by time, as in a merged log.
  mutating func sort() {
    let sorted = history.tellings.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    history.tellings = sorted.map(\.element)
  }
}
