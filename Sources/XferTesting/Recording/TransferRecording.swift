public import XferEvents
public import XferPostmortem

/// How the transfers of a test are recorded and judged.
public struct TransferRecording: Sendable {
  /// Which logs are kept after the test.
  public enum Keeping: Sendable {
    /// The logs of tests that failed.
    case failures
    /// The logs of all tests.
    case everything
  }

  /// The rules, the accepted findings, and what fails the test.
  ///
  /// Relative paths are relative to the working directory of the tests, which `swift test` sets to the package's directory.
  public var judging: Postmortem.Options
  /// The lowest level of events in the log.
  public var level: Level = .default
  /// Which logs are kept after the test.
  public var keeps: Keeping = .failures
  /// Whether the test fails if its log has no task, which suggests that the code under test writes to another log or to none.
  public var requiresTransfers = true
  /// How long the end of a test waits for the completion of its tasks, whose callbacks may be in flight when the test has all that it needs.
  /// A task that is not complete by then is judged as it is.
  public var settlingTime: Duration = .seconds(1)
  /// How long a cancelled test may go on before its postmortem is printed.
  package var patience: Duration = .seconds(5)

  public init(judging: Postmortem.Options = Postmortem.Options()) { self.judging = judging }

  /// - Parameters:
  ///   - baseline: The path of a baseline, whose findings are accepted.
  ///   - suppressions: The paths of files with suppressions.
  ///   - failOn: The lowest severity of a finding that fails the test. `nil` means that findings never do.
  ///   - rules: The paths of YAML files with rules of your own.
  ///   - limits: Changed limits of rules, such as `["lost-completion.patience": "30s"]`.
  ///   - isStrict: Whether an incomplete log fails the test.
  ///   - keeps: Which logs are kept after the test.
  public init(
    baseline: String? = nil, suppressions: [String] = [], failOn: Postmortem.Severity? = .warning, rules: [String] = [],
    limits: [String: String] = [:], isStrict: Bool = false, keeps: Keeping = .failures
  ) {
    judging = Postmortem.Options(baseline: baseline, failOn: failOn, isStrict: isStrict)
    (judging.suppressions, judging.rules, judging.limits) = (suppressions, rules, limits)
    self.keeps = keeps
  }
}
