import XferDiagnosis
import XferEvents
import XferQuery

/// The documentation article with the state machines of all lifecycles.
///
/// The transitions are those that occur while the examples of all rules are replayed.
package enum LifecycleReference {
  package static func markdown() -> String {
    var machines = StateMachines()
    for rule in RuleCatalogue.descriptions {
      for example in rule.reports + rule.staysSilent where example.steps.count <= longest { machines.drive(example.members()) }
    }
    let sections = StateDocument.Kind.allCases.compactMap { kind in machines[kind].map { section(kind, $0) } }
    return head + sections.joined()
  }

  /// The maximum number of steps in an example. Longer examples only repeat the same transitions for many tasks.
  private static let longest = 100

  private static let head = """
    # Lifecycles

    The state machines of a replay, with the events that cause their transitions.

    <!-- Generated from the models by `xferlog-dev generate`; changes made here are lost. -->

    ## Overview

    Each table is one state machine. States have the names that `xferlog replay --at` prints. The transitions were recorded while the
    examples of all rules were replayed, so the tables show what the code does. Events that add information without changing a state
    are not listed. Any state may also be the last one in a log, because the log ends or has a gap.

    † marks final states. An empty *From* means that the entity is first seen in the state, which is often not its beginning. An empty
    *To* means that the entity is no longer tracked. *gap* is not an event: records are missing there.


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
  /// A description of one entity of this kind.
  fileprivate var meaning: String {
    switch self {
    case .boots: "One run of the machine, identified by the boot identifier in clock samples and process starts."
    case .processes: "One life of one process, from its start to its end: an app, an extension or a daemon."
    case .daemons: "One generation of the daemon, which is one of its process lives. Tasks pass from one generation to the next."
    case .conditions: "Network, power, lock, policies and disk of the device. Conditions never end."
    case .sessions: "One session object in one process life. The next process life creates another one."
    case .tasks:
      "A task, from its first event until it is acknowledged or forgotten. While the task runs, its last attempt determines the state."
    case .deliveries: "A callback that the engine or the daemon sends to the app's code."
    case .files: "The file of a finished download, until the app claims it or it is deleted."
    case .wakes: "A request to wake an app for a session's events, and the completion handler that the app receives."
    case .assertions: "Background time that an app requested."
    case .alarms: "A dead man's switch, which fires unless the app checks in before each deadline."
    case .beats: "A heartbeat that is expected periodically."
    case .handoffs: "The handoff of one task's work to another task."
    case .intents: "Something that an app wants done, with one or more tasks."
    case .uploads: "A multipart upload, whose parts the server keeps until it is completed or aborted."
    case .triggers: "A launch trigger that an app armed, such as a region, a timer or a push."
    case .gaps: "Records that are missing from the log, and events that could not be written."
    }
  }
}
