package import XferEvents
package import XferLifecycle
package import XferReplay

/// A rule about anything but a task; each kind of subject has a protocol of its own below.
package protocol SubjectRule: DiagnosisRule {
  static var subject: Subject.Kind { get }
  /// Whether the subject at a place is of the rule's kind.
  static func concerns(_ place: Int, in world: World) -> Bool
  func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict?
}

extension SubjectRule {
  package static func concerns(_ place: Int, in world: World) -> Bool { true }
  package var subjectRule: (any SubjectRule)? { self }
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

/// What a process's sessions do is its own doing: it may be watched, too.
package protocol ProcessRule: SubjectRule {
  /// - Parameter tasks: places of the process's tasks.
  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict?
}

extension ProcessRule {
  package static var subject: Subject.Kind { .process }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.processes[place], tasks: world.tasks.indexes(ofProcess: place), in: world, asked: asked)
  }
}

/// About something that an app wants done.
package protocol IntentRule: SubjectRule {
  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension IntentRule {
  package static var subject: Subject.Kind { .intent }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.intents[place], in: world, asked: asked)
  }
}

/// About an upload in parts.
package protocol MultipartRule: SubjectRule {
  func verdict(on upload: MultipartLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension MultipartRule {
  package static var subject: Subject.Kind { .upload }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.uploads[place], in: world, asked: asked)
  }
}

/// About one run of a machine.
package protocol BootRule: SubjectRule {
  func verdict(on boot: BootLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension BootRule {
  package static var subject: Subject.Kind { .boot }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.boots[place], in: world, asked: asked)
  }
}

/// About all that was read: asked at the events that it watches, and at the end.
package protocol LogRule: SubjectRule {
  func verdict(in world: World, asked: Occasion) -> Verdict?
}

extension LogRule {
  package static var subject: Subject.Kind { .log }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? { verdict(in: world, asked: asked) }
}

/// Asked when a gap is met, when its writer's life is over, and when the log has been read.
package protocol GapRule: SubjectRule {
  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict?
}

extension GapRule {
  package static var subject: Subject.Kind { .gap }
  package static var watches: Set<EventKind> { [] }

  /// Before the log's end only what is shown by positive evidence is decided; nothing that follows can change that.
  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    let process = world.process(of: .gap(place)).map { world.processes[$0] }
    guard asked.isEndOfLog || process?.firstSeen != nil else { return nil }
    let verdict = verdict(on: world.gaps[place], process: process, in: world)
    if asked.isEndOfLog { return verdict }
    guard case .finding(let draft)? = verdict, case .presence = draft.claim else { return nil }
    return verdict
  }
}
