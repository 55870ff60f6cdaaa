import XferDiagnosis
import XferEvents
import XferQuery

/// The documentation article with the state machines of all lifecycles.
///
/// The lifecycles are driven by the examples of all rules, and their transitions are recorded.
package enum LifecycleReference {
  package static func markdown() -> String {
    var machines = StateMachines()
    for rule in RuleCatalogue.descriptions {
      for example in rule.reports + rule.staysSilent where example.steps.count <= longest { machines.drive(example.members()) }
    }
    let sections = StateDocument.Kind.allCases.compactMap { kind in machines[kind].map { section(kind, $0) } }
    return head + sections.joined()
  }

  /// The maximum length of an example. Longer examples only repeat the same for many tasks.
  private static let longest = 100

  private static let head = """
    # Lifecycles

    What a replay has models of, and which event moves each from one state to another.

    <!-- Generated from the models by `xferlog-dev generate`; changes made here are lost. -->

    ## Overview

    Each table is one state machine, with the states as `xferlog replay --at` names them. The transitions are those that the models
    make when the examples of all rules are replayed, so what is here is what the code does. An event that only adds to what is known
    moves nothing and is in no table: a state says what something is at, not all that is known of it. Everything may also stay where
    it is for good, because its log ends or has a gap.

    † marks what is over. No *from* stands where something is seen for the first time, which is often not its beginning; no *to* where
    it is gone, and nothing is kept of it as a thing of its own. *gap* is no event: records are missing there.


    """

  private static func section(_ kind: StateDocument.Kind, _ machine: StateMachine) -> String {
    var text = "## \(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst())\n\n\(kind.meaning)\n\n"
    text += "| From | To | By |\n|---|---|---|\n"
    for transition in machine.transitions {
      let (from, to) = (transition.from.map(machine.text) ?? "", transition.to.map(machine.text) ?? "")
      let events = transition.events.map { "`\($0)`" }.joined(separator: ", ")
      text += "| \(from) | \(to) | \(events) |\n"
    }
    return text + "\n"
  }
}

extension StateDocument.Kind {
  /// The description of one thing of this kind.
  fileprivate var meaning: String {
    switch self {
    case .boots: "The machine between two starts, by the boot identifier that clock samples and processes give."
    case .processes: "One life of one process: of an app, an extension or a daemon."
    case .daemons: "A daemon's generation, which is one of its lives; tasks go from one to the next."
    case .conditions: "What the device says of itself. Nothing ends here; one state follows another."
    case .sessions: "One session object: an incarnation of a session in one process life. The next life makes another."
    case .tasks:
      "A task, from the first word of it until it is acknowledged or forgotten. While it runs, its last attempt says how far it is."
    case .deliveries: "A callback on its way from the engine, or the daemon, into the app's code."
    case .files: "The file that a download leaves, until somebody has it or nobody does."
    case .wakes: "An app that is wanted for the events of a session, and the completion handler that it is handed."
    case .assertions: "Background time that an app has asked for."
    case .alarms: "A dead man's lease: it fires unless somebody renews it."
    case .beats: "A sign of life that is to come again and again."
    case .handoffs: "One task's work, passed on to another."
    case .intents: "What an app wants done, whatever tasks it takes."
    case .uploads: "An upload in parts, which a server keeps until it is completed or given up."
    case .triggers: "What an app has armed to be started by: a region, a timer, a push."
    case .gaps: "What is missing from the log itself, and what could not be written."
    }
  }
}
