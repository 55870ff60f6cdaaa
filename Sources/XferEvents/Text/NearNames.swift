/// Suggests names that are similar to a mistyped one.
package enum NearNames {
  /// The maximum length of a name in bytes for which suggestions are worth their time. Names are shorter.
  package static let longest = 64

  /// Returns the names that differ from the typed one in at most a third of their letters or that contain it, the nearest
  /// first.
  package static func of(_ typed: String, among names: [String], atMost limit: Int = 3) -> [String] {
    let typed = typed.lowercased()
    guard !typed.isEmpty else { return [] }
    let near = names.compactMap { name -> (name: String, distance: Int)? in
      let distance = distance(from: typed, to: name)
      return distance <= max(2, name.count / 3) || name.contains(typed) ? (name, distance) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(limit).map(\.name)
  }

  /// Returns the number of letters to insert, delete or change (Levenshtein distance).
  private static func distance(from first: String, to second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (place, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, other) in second.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
