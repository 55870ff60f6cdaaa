extension BinaryInteger {
  /// The number with a noun that has a plural in `s`, such as `1 event` and `3 events`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
