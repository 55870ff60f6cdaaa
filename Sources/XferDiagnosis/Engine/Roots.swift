import XferEvents
import XferLifecycle

/// An index of the findings that can explain others, by rule, process, task and wake, for lookup in constant time.
struct Roots {
  private struct Key: Hashable {
    /// The number of the rule in `numbers`.
    let rule: Int
    let launch: LaunchID?
    let about: About
    let wake: AboutWake
  }

  private enum About: Hashable {
    case task(TaskUID)
    /// The finding names no task.
    case none
    /// Every finding, whether it names a task or not.
    case any
  }

  private enum AboutWake: Hashable {
    case wake(HandlerID)
    /// The finding names no wake.
    case none
    /// Every finding, whether it names a wake or not.
    case any
  }

  /// The indexes of two findings for each key: the first finding, and the first that is at least probable. The second is `nil` if no
  /// finding with the key is at least probable.
  private var places: [Key: Known] = [:]

  private struct Known {
    let first: Int
    private(set) var sure: Int? = nil

    mutating func note(sure place: Int) { sure = sure ?? place }
  }

  /// The rules whose findings explain others, each with a number.
  private let numbers: [String: Int]

  /// - Parameter rules: the rules whose findings explain others, each with a number.
  init(_ findings: [Finding], rules numbers: [String: Int]) {
    self.numbers = numbers
    for (place, finding) in findings.enumerated() {
      guard let rule = numbers[finding.rule] else { continue }
      let tasks = finding.named
      let about: [About] = [.any] + (tasks.isEmpty ? [.none] : tasks.map { .task($0) })
      for about in about {
        for wake in [.any, finding.wake.map(AboutWake.wake) ?? .none] {
          for launch in finding.launches {
            let key = Key(rule: rule, launch: launch, about: about, wake: wake)
            if finding.certainty >= .probable {
              places[key, default: Known(first: place)].note(sure: place)
            } else if places[key] == nil {
              places[key] = Known(first: place)
            }
          }
        }
      }
    }
  }

  /// Returns the index of the first finding that explains the finding at `place`: a finding of one of the rules about the same
  /// process, and about the same task and the same wake if both findings name one; `nil` if there is none.
  ///
  /// A finding that is only possible does not explain one that is probable or certain.
  func first(of rules: [String], for place: Int, in findings: [Finding]) -> Int? {
    let finding = findings[place]
    let tasks = finding.named
    let about: [About] = tasks.isEmpty ? [.any] : [.none] + tasks.map { .task($0) }
    let wakes: [AboutWake] = finding.wake.map { [.none, .wake($0)] } ?? [.any]
    var first: Int?
    for rule in rules.compactMap({ numbers[$0] }) {
      for about in about {
        for wake in wakes {
          for launch in finding.launches {
            guard let known = places[Key(rule: rule, launch: launch, about: about, wake: wake)] else { continue }
            guard let root = finding.certainty >= .probable ? known.sure : known.first, root != place else { continue }
            first = min(first ?? root, root)
          }
        }
      }
    }
    return first
  }
}

extension Finding {
  /// The tasks that the finding is about.
  fileprivate var named: [TaskUID] { (task.map { [$0] } ?? []).map(\.uid) + tasks.map(\.uid) }
}
