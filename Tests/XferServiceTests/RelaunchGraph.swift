import Foundation
import LogTestSupport

/// A replay with identifiers replaced by ordinals, so that results can be compared between runs.
struct RelaunchGraph {
  private let document: Document
  /// The number of each app process, starting at 1, by launch ID.
  private let lives: [String: Int]

  init(_ run: ToolRun) throws {
    document = try JSONDecoder().decode(Document.self, from: Data(run.standardOutput))
    let apps = document.processes.filter { $0.role == "app" }.sorted { $0.started < $1.started }
    lives = Dictionary(uniqueKeysWithValues: apps.enumerated().map { ($1.launch, $0 + 1) })
  }

  private struct Document: Decodable {
    let processes: [Process]
    let sessions: [Session]
    let wakes: [Wake]
    let tasks: [Task]
    let findings: [Finding]

    struct Process: Decodable {
      let launch, role, started, end: String
      let startReason: String?
    }

    struct Session: Decodable {
      let identifier: String
      let incarnations: [Incarnation]

      struct Incarnation: Decodable {
        let launch: String
        let connected: String?
      }
    }

    struct Wake: Decodable {
      let handler, session, outcome: String
      let launch, wanted, launched, delivered, stored, eventsFinished, called, released, thread: String?
    }

    struct Task: Decodable {
      let session, state, outcome: String
      let number, unexpected: Int
      let deliveries: [Delivery]

      struct Delivery: Decodable {
        let kind: String
        let acknowledged: String?
        let lives: [Life]

        struct Life: Decodable {
          let launch: String
          let received, entered, left: String?
        }
      }
    }

    struct Finding: Decodable {
      let rule, certainty: String
      let causedBy: Int?
      let session, wake, launch: String?
    }
  }

  private func life(_ launch: String?) -> String { launch.flatMap { lives[$0] }.map { "in \($0)" } ?? "nowhere" }

  var lines: [String] {
    processes + sessions + document.wakes.sorted { UInt64($0.handler)! < UInt64($1.handler)! }.map(text)
      + document.tasks.sorted { ($0.session, $0.number) < ($1.session, $1.number) }.map(text)
  }

  private var processes: [String] {
    let apps = document.processes.filter { $0.role == "app" }.map {
      (lives[$0.launch]!, "life \(lives[$0.launch]!) \($0.startReason ?? "?") \($0.end)")
    }
    return apps.sorted { $0.0 < $1.0 }.map(\.1) + document.processes.filter { $0.role != "app" }.map { "\($0.role) \($0.end)" }
  }

  private var sessions: [String] {
    document.sessions.flatMap { session in
      session.incarnations.map {
        "session \(session.identifier) \(life($0.launch))\($0.connected == nil ? "" : " connected")"
      }
    }.sorted()
  }

  private func text(_ wake: Document.Wake) -> String {
    var words = ["wake \(wake.session)"]
    for (word, time) in [("wanted", wake.wanted), ("launched", wake.launched)] where time != nil { words.append(word) }
    words.append(wake.delivered == nil ? "nowhere" : life(wake.launch))
    let later = [("stored", wake.stored), ("released", wake.released), ("finished", wake.eventsFinished)]
    for (word, time) in later where time != nil { words.append(word) }
    words.append(wake.outcome)
    if let thread = wake.thread { words.append(thread) }
    return words.joined(separator: " ")
  }

  private func text(_ task: Document.Task) -> String {
    let deliveries = task.deliveries.map { delivery in
      let lives = delivery.lives.map { life in
        let step = life.left != nil ? "left" : life.entered != nil ? "entered" : "received"
        return "\(self.lives[life.launch] ?? 0) \(step)"
      }
      return "\(delivery.kind) \(lives.joined(separator: ", "))\(delivery.acknowledged == nil ? "" : " acknowledged")"
    }.joined(separator: "; ")
    let odd = task.unexpected == 0 ? "" : " (\(task.unexpected) unexpected)"
    return "task \(task.session) \(task.number) \(task.state) \(task.outcome): \(deliveries)\(odd)"
  }

  /// The findings, each followed by its root cause if it has one.
  var findings: [String] {
    document.findings.map { finding in
      let wake = document.wakes.first { $0.handler == finding.wake }
      let place = wake.map { "\($0.session) \(life($0.launch))" } ?? finding.session ?? life(finding.launch)
      let cause = finding.causedBy.map { document.findings[$0] }
      let root = cause.map { root in
        " < \(root.rule)\(document.wakes.first { $0.handler == root.wake }.map { " \($0.session)" } ?? "")"
      }
      return "\(finding.rule) \(finding.certainty) \(place)\(root ?? "")"
    }.sorted()
  }
}
