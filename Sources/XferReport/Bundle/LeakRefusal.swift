/// The private values that a leak scan found and that may not be passed on, in words.
package struct LeakRefusal: Equatable, Sendable {
  /// The kinds of the values, such as `jwt, cookie`.
  package let kinds: String
  /// The options that permit these kinds, such as `--allow jwt --allow cookie`.
  package let options: String
  /// The first place of each kind, such as `cookie in 000001.seg, block 3 at byte 17`.
  package let places: String

  /// Returns `nil` if all values that the scan found may be passed on.
  ///
  /// - Parameter allowed: The kinds of values that may be passed on.
  package init?(_ scan: LeakScan, allowed: [LeakKind]) {
    let refused = scan.leaks.filter { !allowed.contains($0.kind) }
    if refused.isEmpty { return nil }
    let first = Dictionary(grouping: refused, by: \.kind).compactMapValues { $0.min() }.values.sorted()
    kinds = first.map(\.kind.rawValue).joined(separator: ", ")
    options = first.map { "--allow \($0.kind.rawValue)" }.joined(separator: " ")
    places = first.map { "\($0.kind.rawValue) in \($0.place) at byte \($0.offset)" }.joined(separator: ", ")
  }
}
