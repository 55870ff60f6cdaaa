package import XferEvents
package import XferLifecycle
package import XferReplay

/// A rule about a subject other than a task. Each kind of subject has its own protocol below.
package protocol SubjectRule: DiagnosisRule {
  static var subject: Subject.Kind { get }
  /// Whether the rule applies to the subject at an index.
  static func concerns(_ place: Int, in world: World) -> Bool
  func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict?
  /// The closures that ask the rule. A requirement of the protocol, so that the closures are specialised for the rule's type.
  var asker: SubjectAsker { get }
  /// Returns the summary of one of the rule's findings at the end of the log, if a figure in it has grown since; `nil` if the summary
  /// is still right.
  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String?
}

extension SubjectRule {
  package func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? { nil }
  package static func concerns(_ place: Int, in world: World) -> Bool { true }
  package var subjectRule: (any SubjectRule)? { self }
  package var asker: SubjectAsker {
    SubjectAsker(
      concerns: { Self.concerns($0, in: $1) }, ask: { place, world, asked in verdict(about: place, in: world, asked: asked) })
  }
}

/// The closures that ask one rule about subjects, by their index. See `TaskAsker`.
package struct SubjectAsker: Sendable {
  let concerns: @Sendable (Int, World) -> Bool
  let ask: @Sendable (Int, World, _ asked: Occasion) -> Verdict?
}

package protocol SessionRule: SubjectRule {
  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension SessionRule {
  package static var subject: Subject.Kind { .session }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.sessions[place], in: world, asked: asked)
  }
}

package protocol WakeRule: SubjectRule {
  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension WakeRule {
  package static var subject: Subject.Kind { .wake }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.wakes[place], in: world, asked: asked)
  }
}

/// A rule about a process. It may also watch events of the process's sessions.
package protocol ProcessRule: SubjectRule {
  /// - Parameter tasks: the indexes of the process's tasks.
  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict?
}

extension ProcessRule {
  package static var subject: Subject.Kind { .process }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.processes[place], tasks: world.tasks.indexes(ofProcess: place), in: world, asked: asked)
  }
}

/// A rule about an intent: work that an app wants done.
package protocol IntentRule: SubjectRule {
  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension IntentRule {
  package static var subject: Subject.Kind { .intent }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.intents[place], in: world, asked: asked)
  }
}

/// A rule about a multipart upload.
package protocol MultipartRule: SubjectRule {
  func verdict(on upload: MultipartLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension MultipartRule {
  package static var subject: Subject.Kind { .upload }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.uploads[place], in: world, asked: asked)
  }
}

/// A rule about one boot of a machine.
package protocol BootRule: SubjectRule {
  func verdict(on boot: BootLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension BootRule {
  package static var subject: Subject.Kind { .boot }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.boots[place], in: world, asked: asked)
  }
}

/// A rule about the whole log. It is asked at the events that it watches, and at the end of the log.
package protocol LogRule: SubjectRule {
  func verdict(in world: World, asked: Occasion) -> Verdict?
}

extension LogRule {
  package static var subject: Subject.Kind { .log }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? { verdict(in: world, asked: asked) }
}

/// A rule about a gap in the log. It is asked when the gap is read, when the gap's writer ends, and at the end of the log.
package protocol GapRule: SubjectRule {
  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict?
}

extension GapRule {
  package static var subject: Subject.Kind { .gap }
  package static var watches: Set<EventKind> { [] }

  /// Returns a finding before the end of the log only if it rests on positive evidence, which no later event can change.
  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    let process = world.process(of: .gap(place)).map { world.processes[$0] }
    guard asked.isEndOfLog || process?.firstSeen != nil else { return nil }
    let verdict = verdict(on: world.gaps[place], process: process, in: world)
    if asked.isEndOfLog { return verdict }
    guard case .finding(let draft)? = verdict, case .presence = draft.claim else { return nil }
    return verdict
  }
}
