import ArgumentParser
import XferReport

/// The properties by which findings are grouped, such as `rule,os`.
struct GroupKeys: ExpressibleByArgument {
  let keys: [FindingGroups.Key]

  /// - Returns: `nil` if the text names no property, an unknown one, or one twice.
  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let keys = names.compactMap { FindingGroups.Key(rawValue: String($0)) }
    guard !keys.isEmpty, keys.count == names.count, Set(keys).count == keys.count else { return nil }
    self.keys = keys
  }
}
