import XferEvents
import XferLifecycle

/// Findings by what they are about, so that those which explain another are found at once however many there are.
struct Roots {
  private struct Key: Hashable {
    let rule: String
    let launch: LaunchID?
    let about: About
    let wake: AboutWake
  }

  private enum About: Hashable {
    case task(TaskUID)
    /// No task in particular.
    case none
    case any
  }

  private enum AboutWake: Hashable {
    case wake(HandlerID)
    /// No wake in particular.
    case none
    case any
  }

  /// The first in the order of the findings, and the first that is more than possible.
  private var places: [Key: (first: Int, sure: Int?)] = [:]

  /// - Parameter rules: those that explain others.
  init(_ findings: [Finding], rules: Set<String>) {
    for (place, finding) in findings.enumerated() where rules.contains(finding.rule) {
      let tasks = finding.named
      let about: [About] = [.any] + (tasks.isEmpty ? [.none] : tasks.map { .task($0) })
      for about in about {
        for wake in [.any, finding.wake.map(AboutWake.wake) ?? .none] {
          let key = Key(rule: finding.rule, launch: finding.launch, about: about, wake: wake)
          var known = places[key] ?? (place, nil)
          if known.sure == nil, finding.certainty >= .probable { known.sure = place }
          places[key] = known
        }
      }
    }
  }

  /// The first finding of such a rule on the same process, and on the same task and the same wake where both name some.
  ///
  /// What is only possible explains nothing that is more than that.
  func first(of rules: [String], for place: Int, in findings: [Finding]) -> Int? {
    let finding = findings[place]
    let tasks = finding.named
    let about: [About] = tasks.isEmpty ? [.any] : [.none] + tasks.map { .task($0) }
    let wakes: [AboutWake] = finding.wake.map { [.none, .wake($0)] } ?? [.any]
    var first: Int?
    for rule in rules {
      for about in about {
        for wake in wakes {
          guard let known = places[Key(rule: rule, launch: finding.launch, about: about, wake: wake)] else { continue }
          guard let root = finding.certainty >= .probable ? known.sure : known.first, root != place else { continue }
          first = min(first ?? root, root)
        }
      }
    }
    return first
  }
}

extension Finding {
  /// The tasks that it is about.
  fileprivate var named: [TaskUID] { (task.map { [$0] } ?? []).map(\.uid) + tasks.map(\.uid) }
}
