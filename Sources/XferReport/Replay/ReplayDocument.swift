package import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// What a replay found, ready to be shown: verdict, lifecycles, findings, and what could not be known.
package struct ReplayDocument {
  package let diagnosis: Diagnosis
  /// Effects that the log has before their causes.
  let inversions: Int
  package let inputs: [Input]
  package let exitCode: Int32
  /// Whether findings that are only possible count too.
  package let countsPossible: Bool
  /// Why the log does not tell the whole story; empty when it does.
  let incompleteness: [String]
  /// The rules by which it was judged.
  let rules: RuleSet
  let sessions: [Session]
  let undecided: [Undecided]

  /// One log that was named, and what became of its records.
  package struct Input {
    package let path: String
    package let format: String
    package var events = 0
    /// Events that no model uses.
    package var unmodelled = 0
    /// Places where bytes are damaged, torn or cut off.
    package var damaged = 0
    /// Records that are known to be gone, those that the writer could not write included.
    package var missing: Int64 = 0
    /// Whether the input tells the whole story of what it is about.
    package var complete = true
    /// Why it, or the first unreadable segment in it, could not be read.
    package var error: String?

    package init(path: String, format: String, error: String? = nil) {
      self.path = path
      self.format = format
      self.error = error
      complete = error == nil
    }
  }

  /// All session objects of one identifier, which a background session keeps over process lives.
  struct Session {
    let identifier: String
    var incarnations: [SessionLifecycle]

    var kind: SessionKind? { incarnations.lazy.compactMap(\.kind).first }
  }

  /// What a rule would have to know to answer, and how often it did not.
  struct Undecided {
    let rule: String
    let needs: String
    let count: Int
  }

  /// - Parameter incompleteness: why the log does not tell the whole story; `nil` when nothing is known but what the log says itself.
  package init(
    diagnosis: Diagnosis, inversions: Int = 0, inputs: [Input], exitCode: Int32, countsPossible: Bool = false,
    rules: RuleSet = .catalogue, incompleteness: [String]? = nil
  ) {
    self.diagnosis = diagnosis
    self.inversions = inversions
    self.inputs = inputs
    self.exitCode = exitCode
    self.countsPossible = countsPossible
    self.rules = rules
    self.incompleteness = incompleteness ?? diagnosis.incompleteness
    sessions = Self.sessions(of: diagnosis.world)
    undecided = diagnosis.undecided.map { Undecided(rule: $0.key.rule, needs: $0.key.needs, count: $0.value) }
      .sorted { ($0.rule, $0.needs) < ($1.rule, $1.needs) }
  }

  /// In the order in which their identifiers were first seen.
  private static func sessions(of world: World) -> [Session] {
    var sessions: [Session] = []
    var places: [String: Int] = [:]
    for incarnation in world.sessions {
      if let place = places[incarnation.identifier] {
        sessions[place].incarnations.append(incarnation)
      } else {
        places[incarnation.identifier] = sessions.count
        sessions.append(Session(identifier: incarnation.identifier, incarnations: [incarnation]))
      }
    }
    return sessions
  }

  package enum Verdict: String {
    case clean, findings, incomplete
    case nothingAnalysed = "nothing-analysed"
  }

  package var verdict: Verdict {
    if diagnosis.replay.counts.events == 0 { return .nothingAnalysed }
    if diagnosis.findings.contains(where: { $0.counts(withPossible: countsPossible) }) { return .findings }
    return incompleteness.isEmpty ? .clean : .incomplete
  }
}

extension Finding {
  /// Whether it counts for the verdict and the exit status: roots only, and what is only possible when asked for.
  package func counts(withPossible: Bool) -> Bool { counts || withPossible && causedBy == nil }
}
