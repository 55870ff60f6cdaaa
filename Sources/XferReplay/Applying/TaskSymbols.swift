import XferEvents

/// Where the tasks of one source are, by their symbols there.
///
/// Every event about a task is looked up here. So what a `SymbolTable` keeps near is in an array whose type this module knows: the
/// table of another module would be asked through its metadata.
struct TaskSymbols: Sendable {
  private var near: [TaskTable.Place] = []
  private var far = SymbolTable<TaskTable.Place>()
  private var count = 0

  /// Holes that cost no more than they would as entries apart.
  private static let slack = 1024
  private static let hole = TaskTable.Place(index: -1, generation: 0)

  @inline(__always)
  subscript(symbol: UInt32) -> TaskTable.Place? {
    if Int(symbol) < near.count, near[Int(symbol)].index >= 0 { return near[Int(symbol)] }
    return far[symbol]
  }

  mutating func set(_ place: TaskTable.Place, at symbol: UInt32) {
    count += 1
    guard Int(symbol) < near.count || Int(symbol) <= 2 * count + Self.slack else { return far.set(place, at: symbol) }
    while near.count <= Int(symbol) { near.append(Self.hole) }
    near[Int(symbol)] = place
  }
}
