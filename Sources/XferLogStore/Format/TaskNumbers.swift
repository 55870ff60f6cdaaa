/// The lowest and the highest of the numbers that a segment's tasks have in their sessions.
struct TaskNumbers: Equatable {
  /// The lowest number. In a segment without tasks it is greater than `highest`.
  private(set) var lowest = UInt32.max
  private(set) var highest: UInt32 = 0

  init() {}

  init(lowest: UInt32, highest: UInt32) { (self.lowest, self.highest) = (lowest, highest) }

  func mayContain(_ number: UInt32) -> Bool { lowest <= number && number <= highest }

  /// Adds the tasks of a block with definitions, whose content lists their numbers in ascending order.
  mutating func note(_ definitions: BlockContent) {
    guard let first = definitions.tasks.first, let last = definitions.tasks.last else { return }
    (lowest, highest) = (min(lowest, first), max(highest, last))
  }
}
