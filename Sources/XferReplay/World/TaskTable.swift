import XferEvents
package import XferLifecycle

/// The tasks that something may still come for, by their places. A task that is over makes room for another.
package struct TaskTable {
  /// By index; where no task is open it is one that was.
  package private(set) var lifecycles: [TaskLifecycle] = []
  private var marks: [Mark] = []
  private var free: [Int] = []
  private var ofProcess: [[Int]] = []
  /// Tasks that the log has told of so far, open and closed.
  package private(set) var seen = 0

  /// A place at one time of its life; a place that is used again has another generation.
  package struct Place: Hashable, Sendable {
    package let index: Int32
    package let generation: UInt32
  }

  private struct Mark {
    var generation: UInt32 = 0
    /// Which task of the log it is, counted from 0; -1 while nobody is there.
    var ordinal = -1
    var process = 0
    /// Where the process's list has it.
    var position = 0
  }

  package init() {}

  package subscript(index: Int) -> TaskLifecycle {
    @inline(__always) get { lifecycles[index] }
  }

  /// The task, to be changed: another copy of the table keeps it as it was.
  subscript(changing index: Int) -> TaskLifecycle {
    @inline(__always) mutating get {
      if !isKnownUniquelyReferenced(&lifecycles[index]) { lifecycles[index] = TaskLifecycle(lifecycles[index].facts) }
      return lifecycles[index]
    }
  }

  /// The same without counting a reference to it, for what comes with every event.
  @inline(__always)
  mutating func change(_ index: Int, _ change: (TaskLifecycle) -> Void) {
    _ = self[changing: index]
    Unmanaged.passUnretained(lifecycles[index])._withUnsafeGuaranteedRef(change)
  }

  /// How many tasks are open.
  package var count: Int { lifecycles.count - free.count }

  /// Indexes of the open tasks, in the order in which they were first seen.
  package var indexes: [Int] { marks.indices.filter { marks[$0].ordinal >= 0 }.sorted { marks[$0].ordinal < marks[$1].ordinal } }

  /// Indexes of a process's open tasks, in the order in which they were first seen.
  package func indexes(ofProcess process: Int) -> [Int] {
    process < ofProcess.count ? ofProcess[process].sorted { marks[$0].ordinal < marks[$1].ordinal } : []
  }

  @inline(__always)
  package func isCurrent(_ place: Place) -> Bool { marks[Int(place.index)].generation == place.generation }

  package func place(_ index: Int) -> Place { Place(index: Int32(index), generation: marks[index].generation) }

  // The table holds the task meanwhile: counting a reference to it would cost more than the look.
  @inline(__always)
  package func glance(at index: Int) -> TaskLifecycle.Glance {
    Unmanaged.passUnretained(lifecycles[index])._withUnsafeGuaranteedRef { $0.glance() }
  }

  @inline(__always)
  package func generation(of index: Int) -> UInt32 { marks[index].generation }

  // A copy of what the task says: it is asked for with every event, and the task itself is a detour.
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

  /// Takes a task out; its place is another's from now on, and keeps it until then.
  mutating func remove(_ index: Int) {
    leave(index)
    marks[index].ordinal = -1
    marks[index].generation &+= 1
    free.append(index)
  }

  /// Hands a task over to another process life.
  mutating func move(_ index: Int, to process: Int) {
    leave(index)
    self[changing: index].facts.process = process
    enter(index, process)
  }

  private mutating func enter(_ index: Int, _ process: Int) {
    while ofProcess.count <= process { ofProcess.append([]) }
    (marks[index].process, marks[index].position) = (process, ofProcess[process].count)
    ofProcess[process].append(index)
  }

  /// The last of the list takes the place that becomes free, so that leaving costs the same however many there are.
  private mutating func leave(_ index: Int) {
    let (process, position) = (marks[index].process, marks[index].position)
    let last = ofProcess[process].removeLast()
    guard last != index else { return }
    ofProcess[process][position] = last
    marks[last].position = position
  }
}
