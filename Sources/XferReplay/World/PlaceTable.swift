/// A table of elements that events may still change. The index of a removed element is reused.
package struct PlaceTable<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var marks: [Mark] = []
  private var free: [Int] = []
  private var seen = 0

  private struct Mark {
    var generation: UInt32 = 0
    /// The number of the element, counted from 0 over all that were ever inserted; -1 while the index is unused.
    var ordinal = -1
  }

  package init() {}

  /// The element at an index. An unused index still contains the last element that was removed there.
  package subscript(index: Int) -> Element {
    _read { yield elements[index] }
    _modify { yield &elements[index] }
  }

  package var isEmpty: Bool { elements.count == free.count }

  /// The indexes of all elements, in the order in which they were inserted.
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
