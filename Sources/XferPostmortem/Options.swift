public import XferLogStore

extension Postmortem {
  /// How a log is judged. The defaults are those of `xferlog replay`, except that no configuration file is read.
  public struct Options: Sendable {
    /// The paths of YAML files with rules of your own.
    public var rules: [String] = []
    /// Changed limits of rules, such as `["lost-completion.patience": "30s"]`.
    public var limits: [String: String] = [:]
    /// The path of a configuration file, such as `.xferlog.yaml`, whose rules and limits are applied. `nil` means none.
    public var configuration: String?
    /// The path of a baseline, whose findings are accepted. `nil` means none.
    public var baseline: String?
    /// The paths of files with suppressions.
    public var suppressions: [String] = []
    /// The lowest severity that fails the postmortem. `nil` means that findings never do.
    public var failOn: Severity? = .warning
    /// Whether findings with the certainty `possible` fail the postmortem, too.
    public var countsPossible = false
    /// Whether an incomplete log, and an entry of the baseline that matches nothing, fail the postmortem.
    public var isStrict = false
    /// Whether a log that does not exist or has no events is a success.
    public var allowsEmpty = false
    /// How damaged logs are read.
    public var recovery = RecoveryMode.tail

    /// The path of a file that says which keys of JSON lines mean what. `nil` means none.
    public var mapping: String?
    /// The date of the first record of a log without dates, such as `2026-11-20`. `nil` means unknown.
    public var date: String?
    /// The time zone of records without an offset, in seconds east of UTC. `nil` means unknown.
    public var secondsFromGMT: Int?

    public init() {}

    /// - Parameters:
    ///   - baseline: The path of a baseline, whose findings are accepted.
    ///   - failOn: The lowest severity that fails the postmortem. `nil` means that findings never do.
    ///   - isStrict: Whether an incomplete log fails the postmortem.
    public init(baseline: String? = nil, failOn: Severity? = .warning, isStrict: Bool = false) {
      (self.baseline, self.failOn, self.isStrict) = (baseline, failOn, isStrict)
    }
  }
}
