import Synchronization
import Testing

/// A trait that stands before another trait of a test: the test must record exactly one issue for each of some texts, which then does not
/// fail it.
struct ExpectedIssues: TestTrait, TestScoping {
  let texts: [String]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let recorded = Mutex<[(text: String, line: Int?)]>([])
    let observer: IssueHandlingTrait = .compactMapIssues { issue in
      let text = (issue.comments.map(\.rawValue) + [issue.error.map { "\($0)" } ?? ""]).joined(separator: "\n")
      recorded.withLock { $0.append((text, issue.sourceLocation?.line)) }
      return nil
    }
    do {
      try await observer.provideScope(for: test, testCase: testCase, performing: function)
    } catch {
      recorded.withLock { $0.append(("\(error)", nil)) }
    }
    let issues = recorded.withLock { $0 }
    #expect(issues.count == texts.count, "\(issues)")
    for text in texts {
      let found = issues.first { $0.text.contains(text) }
      #expect(found != nil, "no issue has the text \(text): \(issues)")
    }
    // An issue about transfers is recorded at the line of the test.
    for issue in issues where issue.text.contains("The report is") {
      #expect(issue.line == test.sourceLocation.line, "\(issue)")
    }
  }
}

extension Trait where Self == ExpectedIssues {
  /// The test must record one issue for each text.
  static func issues(_ texts: String...) -> Self { Self(texts: texts) }
}
