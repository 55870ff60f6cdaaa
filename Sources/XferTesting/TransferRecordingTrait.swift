#if canImport(Testing)
  import Synchronization
  public import Testing
  public import XferPostmortem

  /// Gives each test its own log, and fails the test if the log shows that something went wrong with its transfers.
  ///
  /// The log is `TransferLog.current` while the test runs. At the end of the test, also if the test threw an error or exceeded its time
  /// limit, the log is replayed. Findings that count are recorded as an issue at the line of the test, with the HTML report and the log as
  /// attachments.
  public struct TransferRecordingTrait: TestTrait, SuiteTrait, TestScoping {
    let recording: TransferRecording

    /// Each test of a suite has a log of its own.
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      // A trait of the test takes precedence over that of its suite, which encloses it.
      Self.enclosing?.replace()
      let recorded = try RecordedTest(Self.name(of: test), recording)
      let hasFailed = Atomic(false)
      let observer: IssueHandlingTrait = .compactMapIssues { issue in
        hasFailed.store(true, ordering: .relaxed)
        return issue
      }
      let result: Result<Void, any Error>
      do {
        try await withTaskCancellationHandler {
          try await Self.$enclosing.withValue(recorded) {
            try await TransferLog.$current.withValue(recorded.log) {
              try await observer.provideScope(for: test, testCase: testCase, performing: function)
            }
          }
        } onCancel: {
          Self.watch(recorded, after: recording.patience)
        }
        result = .success(())
      } catch {
        hasFailed.store(true, ordering: .relaxed)
        result = .failure(error)
      }
      // The test's own task may be cancelled.
      await recorded.settle { time in await Task.detached { try? await Task.sleep(for: time) }.value }
      let conclusion = recorded.conclude(hasFailed: hasFailed.load(ordering: .relaxed))
      for file in conclusion.attachments { Attachment.record(file.bytes, named: file.name, sourceLocation: test.sourceLocation) }
      if let failure = conclusion.failure { Issue.record("\(failure)", sourceLocation: test.sourceLocation) }
      try result.get()
    }

    /// The recording that encloses a test, because the trait is given twice.
    @TaskLocal private static var enclosing: RecordedTest?

    /// Prints the postmortem of a test that does not end after it was cancelled.
    private static func watch(_ recorded: RecordedTest, after patience: Duration) {
      Task.detached {
        try await Task.sleep(for: patience)
        recorded.rescue()
      }
    }

    /// The name of a test as `TileTests.aTileArrives`, with the file that contains the test.
    private static func name(of test: Test) -> String {
      let file = test.sourceLocation.fileName
      // A name that is not an identifier has backticks. Parameters come last.
      let name = test.name.hasPrefix("`") ? test.name.dropFirst().prefix { $0 != "`" } : test.name.prefix { $0 != "(" }
      return "\(file.hasSuffix(".swift") ? String(file.dropLast(6)) : file).\(name)"
    }
  }

  extension Trait where Self == TransferRecordingTrait {
    /// Gives each test its own log, and fails the test if the log shows that something went wrong with its transfers.
    public static var recordingTransfers: Self { recordingTransfers(TransferRecording()) }

    /// Gives each test its own log, and fails the test if the log shows that something went wrong with its transfers.
    ///
    /// - Parameter recording: How the transfers are recorded and judged.
    public static func recordingTransfers(_ recording: TransferRecording) -> Self { Self(recording: recording) }

    /// Gives each test its own log, and fails the test if the log shows that something went wrong with its transfers.
    ///
    /// - Parameters:
    ///   - baseline: The path of a baseline, whose findings are accepted.
    ///   - suppressions: The paths of files with suppressions.
    ///   - failOn: The lowest severity of a finding that fails the test. `nil` means that findings never do.
    ///   - rules: The paths of YAML files with rules of your own.
    ///   - limits: Changed limits of rules, such as `["lost-completion.patience": "30s"]`.
    ///   - isStrict: Whether an incomplete log fails the test.
    ///   - keeps: Which logs are kept after the test.
    public static func recordingTransfers(
      baseline: String? = nil, suppressions: [String] = [], failOn: Postmortem.Severity? = .warning, rules: [String] = [],
      limits: [String: String] = [:], isStrict: Bool = false, keeps: TransferRecording.Keeping = .failures
    ) -> Self {
      recordingTransfers(
        TransferRecording(
          baseline: baseline, suppressions: suppressions, failOn: failOn, rules: rules, limits: limits, isStrict: isStrict,
          keeps: keeps))
    }
  }
#endif
