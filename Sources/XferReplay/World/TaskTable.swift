import XferEvents
public import XferLifecycle

/// The tasks that events may still change. The index of a closed task is reused.
@usableFromInline package struct TaskTable {
  /// The tasks by index. An unused index still contains the last task that was closed there.
  @usableFromInline package internal(set) var lifecycles: [TaskLifecycle] = []
  private var marks: [Mark] = []
  private var free: [Int] = []
  private var ofProcess: [ProcessTasks] = []
  /// The number of tasks seen so far, open and closed.
  package private(set) var seen = 0

  /// An index together with its generation, which increases when the index is reused.
  package struct Place: Hashable, Sendable {
    package let index: Int32
    package let generation: UInt32
  }

  private struct Mark {
    var generation: UInt32 = 0
    /// The number of the task, counted from 0 over all tasks of the log; -1 while the index is unused.
    var ordinal = -1
    var process = 0
    /// The task's position in the list of its process's tasks.
    var position = 0
  }

  /// The indexes of a process's open tasks.
  private struct ProcessTasks {
    var indexes: [Int] = []
    /// Whether the indexes are in the order of first mention. As long as no task is removed or moved, they are.
    var areOrdered = true
  }

  package init() {}

  package subscript(index: Int) -> TaskLifecycle {
    @inline(__always) get { lifecycles[index] }
  }

  /// The task at an index, for changing. It is copied first if another copy of the table refers to it.
  subscript(changing index: Int) -> TaskLifecycle {
    @inline(__always) mutating get {
      if !isKnownUniquelyReferenced(&lifecycles[index]) { lifecycles[index] = TaskLifecycle(lifecycles[index].facts) }
      return lifecycles[index]
    }
  }

  /// Changes the task at an index without retaining it, because this is done for every event.
  @inline(__always)
  mutating func change(_ index: Int, _ change: (TaskLifecycle) -> Void) {
    _ = self[changing: index]
    Unmanaged.passUnretained(lifecycles[index])._withUnsafeGuaranteedRef(change)
  }

  /// The number of open tasks.
  package var count: Int { lifecycles.count - free.count }

  /// The indexes of the open tasks, in the order of first mention.
  package var indexes: [Int] { marks.indices.filter { marks[$0].ordinal >= 0 }.sorted { marks[$0].ordinal < marks[$1].ordinal } }

  /// Returns the indexes of a process's open tasks, in the order of first mention.
  package func indexes(ofProcess process: Int) -> [Int] {
    guard process < ofProcess.count else { return [] }
    let own = ofProcess[process]
    return own.areOrdered ? own.indexes : own.indexes.sorted { marks[$0].ordinal < marks[$1].ordinal }
  }

  @inline(__always)
  package func isCurrent(_ place: Place) -> Bool { marks[Int(place.index)].generation == place.generation }

  package func place(_ index: Int) -> Place { Place(index: Int32(index), generation: marks[index].generation) }

  // The task is not retained, because retaining it would cost more than reading its properties. The table keeps it alive
  // meanwhile.
  @inlinable package func glance(at index: Int) -> TaskLifecycle.Glance {
    Unmanaged.passUnretained(lifecycles[index])._withUnsafeGuaranteedRef { $0.glance() }
  }

  @inline(__always)
  package func generation(of index: Int) -> UInt32 { marks[index].generation }

  // Returns the process of a task. The table has a copy of it, because reading it from the task for every event would be slower.
  @inline(__always)
  func process(of index: Int) -> Int { marks[index].process }

  // MARK: Changes

  mutating func insert(_ identity: TaskIdentity, process: Int) -> Place {
    let index: Int
    if let reused = free.popLast() {
      index = reused
      lifecycles[index] = TaskLifecycle(identity, process: process)
    } else {
      index = lifecycles.count
      lifecycles.append(TaskLifecycle(identity, process: process))
      marks.append(Mark())
    }
    marks[index].ordinal = seen
    seen += 1
    enter(index, process)
    return place(index)
  }

  /// Removes a task. The table keeps it until its index is reused.
  mutating func remove(_ index: Int) {
    leave(index)
    marks[index].ordinal = -1
    marks[index].generation &+= 1
    free.append(index)
  }

  /// Moves a task to another process life.
  mutating func move(_ index: Int, to process: Int) {
    leave(index)
    self[changing: index].facts.process = process
    enter(index, process)
  }

  private mutating func enter(_ index: Int, _ process: Int) {
    while ofProcess.count <= process { ofProcess.append(ProcessTasks()) }
    if let last = ofProcess[process].indexes.last {
      if marks[last].ordinal > marks[index].ordinal { ofProcess[process].areOrdered = false }
    } else {
      ofProcess[process].areOrdered = true
    }
    (marks[index].process, marks[index].position) = (process, ofProcess[process].indexes.count)
    ofProcess[process].indexes.append(index)
  }

  /// Removes a task from the list of its process. The list's last task moves to the free position, so that the cost does not
  /// depend on the length.
  private mutating func leave(_ index: Int) {
    let (process, position) = (marks[index].process, marks[index].position)
    let last = ofProcess[process].indexes.removeLast()
    guard last != index else { return }
    ofProcess[process].indexes[position] = last
    ofProcess[process].areOrdered = false
    marks[last].position = position
  }
}
