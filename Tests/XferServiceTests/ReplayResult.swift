import Foundation
import LogTestSupport

/// The parts of the output of `xferlog replay -o json` that these tests use.
struct ReplayResult: Decodable {
  let verdict: String
  let complete: Bool
  let tasks: [Task]
  let findings: [Finding]
  let wakes: [Wake]

  struct Task: Decodable {
    let uid, session, state, outcome: String
    let number: Int
  }

  struct Wake: Decodable {
    let handler, session: String
  }

  struct Finding: Decodable {
    let rule: String
    let certainty: String
    /// The index of the finding that is the cause of this finding.
    let causedBy: Int?
    let session, task, wake: String?
    /// The tasks of a finding that concerns several tasks.
    let tasks: [String]
    let evidence: [Event]
  }

  struct Event: Decodable {
    let event: String
    let source: Source
  }

  /// The place of a record in a log.
  struct Source: Decodable, Hashable {
    let segment, lane, seq: Int
  }

  init(_ run: ToolRun) throws { self = try JSONDecoder().decode(Self.self, from: Data(run.standardOutput)) }
}
