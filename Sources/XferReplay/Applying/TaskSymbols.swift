import XferEvents

/// The tasks of one source as indexes in the task table, by the symbols of that source.
///
/// Every event about a task is looked up here. The array for small symbols duplicates code of `SymbolTable`, because its element
/// type is known in this module; a generic table of another module is accessed through its metadata, which is slower.
struct TaskSymbols: Sendable {
  private var near: [TaskTable.Place] = []
  private var far = SymbolTable<TaskTable.Place>()
  private var count = 0

  /// The number of unused entries that the array may have regardless of the number of tasks.
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
