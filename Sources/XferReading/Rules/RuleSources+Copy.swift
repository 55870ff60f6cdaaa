import XferRules

extension RuleSources.File {
  /// Returns the bytes of a rule file that another machine can read. Of a configuration, these are the rules and limits alone.
  package func copy() throws -> [UInt8] {
    guard isConfiguration else { return bytes }
    do throws(RuleErrors) {
      if let copy = try RuleFile.rulesAlone(of: bytes, name: name) { return copy }
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
    throw CommandExit(
      .failed,
      "\(name): its rules cannot be separated from its settings, which do not belong into a bundle.\n"
        + "Move the rules to a file of their own, and name it below `rules:`.")
  }
}
