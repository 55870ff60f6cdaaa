/// Suggests names that are similar to a mistyped one.
package enum NearNames {
  /// The maximum length of a name in bytes for which suggestions are worth their time. Names are shorter.
  package static let longest = 64

  /// Returns the names that differ from the typed one in at most a third of the letters or that contain it, the nearest first.
  package static func of(_ typed: String, among names: [String], atMost limit: Int = 3) -> [String] {
    let typed = typed.lowercased()
    guard !typed.isEmpty else { return [] }
    let near = names.compactMap { name -> (name: String, distance: Int)? in
      let lowercased = name.lowercased()
      let distance = distance(from: typed, to: lowercased)
      return distance <= max(1, max(typed.count, name.count) / 3) || lowercased.contains(typed) ? (name, distance) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(limit).map(\.name)
  }

  /// Returns the number of letters to insert, delete, change or exchange with their neighbor (optimal string alignment distance).
  private static func distance(from first: String, to second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    // The distances from the beginning of `first` that ends two letters before, one letter before, and here.
    var (before, last) = ([Int](), Array(0...second.count))
    for place in first.indices {
      var row = [place + 1]
      for column in second.indices {
        var distance = min(last[column] + (first[place] == second[column] ? 0 : 1), row[column] + 1, last[column + 1] + 1)
        if place > 0, column > 0, first[place] == second[column - 1], first[place - 1] == second[column] {
          distance = min(distance, before[column - 1] + 1)
        }
        row.append(distance)
      }
      (before, last) = (last, row)
    }
    return last[second.count]
  }
}
