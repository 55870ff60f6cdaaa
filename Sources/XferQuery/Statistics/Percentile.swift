/// A percentile by nearest rank: the smallest value that at least the given percentage of all values do not exceed. The result is
/// always one of the values, so that SQL over the index computes the same result.
package struct Percentile: Hashable, Sendable {
  package let percent: Int

  package init(_ percent: Int) { self.percent = percent }

  package static let median = Percentile(50)
  package static let ninetieth = Percentile(90)

  /// - Parameter sorted: nanoseconds in ascending order.
  /// - Returns: the percentile; `nil` when there are no values.
  package func value(of sorted: [Int64]) -> Duration? {
    number(of: sorted).map { .nanoseconds($0) }
  }

  /// Returns the percentile of numbers in ascending order; `nil` if there are none.
  func number(of sorted: [Int64]) -> Int64? {
    sorted.isEmpty ? nil : sorted[place(in: sorted.count)]
  }

  private func place(in count: Int) -> Int { max(1, (percent * count + 99) / 100) - 1 }

  /// Returns the percentile of numbers in any order; `nil` if there are none. Takes linear time for usual numbers.
  func number(ofUnsorted numbers: [Int64]) -> Int64? {
    if numbers.isEmpty { return nil }
    var numbers = numbers
    let wanted = place(in: numbers.count)
    var range = 0..<numbers.count
    // Numbers that defeat the choice of the middle are sorted instead.
    for _ in 0..<Self.rounds {
      if range.count <= Self.few { break }
      let pivot = Self.middle(
        numbers[range.lowerBound], numbers[range.lowerBound + range.count / 2], numbers[range.upperBound - 1])
      let (less, greater) = Self.partition(&numbers, range, by: pivot)
      if wanted < less {
        range = range.lowerBound..<less
      } else if wanted >= greater {
        range = greater..<range.upperBound
      } else {
        return pivot
      }
    }
    return numbers[range].sorted()[wanted - range.lowerBound]
  }

  private static let rounds = 64
  private static let few = 64

  private static func middle(_ one: Int64, _ two: Int64, _ three: Int64) -> Int64 {
    max(min(one, two), min(max(one, two), three))
  }

  /// Moves smaller numbers to the beginning of a range and greater ones to its end.
  ///
  /// - Returns: the end of the smaller numbers, and the beginning of the greater ones.
  private static func partition(_ numbers: inout [Int64], _ range: Range<Int>, by pivot: Int64) -> (less: Int, greater: Int) {
    var (less, place, greater) = (range.lowerBound, range.lowerBound, range.upperBound)
    numbers.withUnsafeMutableBufferPointer { numbers in
      while place < greater {
        let number = numbers[place]
        if number < pivot {
          numbers.swapAt(less, place)
          less += 1
          place += 1
        } else if number > pivot {
          greater -= 1
          numbers.swapAt(place, greater)
        } else {
          place += 1
        }
      }
    }
    return (less, greater)
  }
}
