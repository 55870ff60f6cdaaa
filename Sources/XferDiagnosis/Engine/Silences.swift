/// Of one task after another the same rules have nothing to say; so they are counted as one.
struct Silences {
  private var rules = RulePlaces()
  private var count = 0

  /// - Returns: what was counted so far, where these rules are others.
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
