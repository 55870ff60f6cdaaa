/// A run-length counter of silent rules. The same set of rules is usually silent about many consecutive tasks, so the tallies are
/// updated once for all these tasks.
struct Silences {
  private var rules = RulePlaces()
  private var count = 0

  /// Counts a set of silent rules.
  ///
  /// - Returns: the finished run, if the set differs from the previous one.
  mutating func note(_ rules: RulePlaces) -> Silences? {
    if rules == self.rules {
      count += 1
      return nil
    }
    let before = self
    (self.rules, count) = (rules, 1)
    return before
  }

  func add(to tallies: inout [Diagnosis.Tally]) {
    var rules = rules
    while let rule = rules.popFirst() { tallies[rule].silent += count }
  }
}
