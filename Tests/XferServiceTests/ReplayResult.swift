import Foundation
import LogTestSupport

/// What `xferlog replay -o json` says, as far as these tests ask.
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
    /// Place of the finding that it follows from.
    let causedBy: Int?
    let session, task, wake: String?
    /// Of a finding about several.
    let tasks: [String]
  }

  init(_ run: ToolRun) throws { self = try JSONDecoder().decode(Self.self, from: Data(run.standardOutput)) }
}
