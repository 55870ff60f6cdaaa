/// What something may still come for, by places. What is over makes room for another.
package struct PlaceTable<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var marks: [Mark] = []
  private var free: [Int] = []
  private var seen = 0

  private struct Mark {
    var generation: UInt32 = 0
    /// Which of all it is, counted from 0; -1 while nobody is there.
    var ordinal = -1
  }

  package init() {}

  /// Where no element is open it is one that was.
  package subscript(index: Int) -> Element {
    _read { yield elements[index] }
    _modify { yield &elements[index] }
  }

  package var isEmpty: Bool { elements.count == free.count }

  /// Of what is open, in the order in which it was first seen.
  package var indexes: [Int] { marks.indices.filter { marks[$0].ordinal >= 0 }.sorted { marks[$0].ordinal < marks[$1].ordinal } }

  package func place(_ index: Int) -> TaskTable.Place {
    TaskTable.Place(index: Int32(index), generation: marks[index].generation)
  }

  package func isCurrent(_ place: TaskTable.Place) -> Bool { marks[Int(place.index)].generation == place.generation }

  mutating func insert(_ element: Element) -> Int {
    let index: Int
    if let reused = free.popLast() {
      index = reused
      elements[index] = element
    } else {
      index = elements.count
      elements.append(element)
      marks.append(Mark())
    }
    marks[index].ordinal = seen
    seen += 1
    return index
  }

  mutating func remove(_ index: Int) {
    marks[index].ordinal = -1
    marks[index].generation &+= 1
    free.append(index)
  }
}
