package import XferLifecycle
package import XferReplay

/// A rule about keepalives: the assertions, alarms, beats and hand-offs that an app uses while it is in the background.
package protocol KeepaliveRule: SubjectRule {
  /// Whether a keepalive is of the kind that the rule is about.
  static func concerns(_ keepalive: Keepalive) -> Bool
  func verdict(on keepalive: Keepalive, in world: World, asked: Occasion) -> Verdict?
}

extension KeepaliveRule {
  package static var subject: Subject.Kind { .keepalive }

  package static func concerns(_ place: Int, in world: World) -> Bool { concerns(world.keepalives[place]) }

  package func verdict(about place: Int, in world: World, asked: Occasion) -> Verdict? {
    verdict(on: world.keepalives[place], in: world, asked: asked)
  }
}

package protocol AssertionRule: KeepaliveRule {
  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict?
}

package protocol AlarmRule: KeepaliveRule {
  func verdict(on alarm: AlarmLifecycle, in world: World, asked: Occasion) -> Verdict?
}

package protocol BeatRule: KeepaliveRule {
  func verdict(on beat: BeatLifecycle, in world: World, asked: Occasion) -> Verdict?
}

package protocol HandoffRule: KeepaliveRule {
  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension AssertionRule {
  package static func concerns(_ keepalive: Keepalive) -> Bool { if case .assertion = keepalive { true } else { false } }

  package func verdict(on keepalive: Keepalive, in world: World, asked: Occasion) -> Verdict? {
    guard case .assertion(let assertion) = keepalive else { return .silent }
    return verdict(on: assertion, in: world, asked: asked)
  }
}

extension AlarmRule {
  package static func concerns(_ keepalive: Keepalive) -> Bool { if case .alarm = keepalive { true } else { false } }

  package func verdict(on keepalive: Keepalive, in world: World, asked: Occasion) -> Verdict? {
    guard case .alarm(let alarm) = keepalive else { return .silent }
    return verdict(on: alarm, in: world, asked: asked)
  }
}

extension BeatRule {
  package static func concerns(_ keepalive: Keepalive) -> Bool { if case .beat = keepalive { true } else { false } }

  package func verdict(on keepalive: Keepalive, in world: World, asked: Occasion) -> Verdict? {
    guard case .beat(let beat) = keepalive else { return .silent }
    return verdict(on: beat, in: world, asked: asked)
  }
}

extension HandoffRule {
  package static func concerns(_ keepalive: Keepalive) -> Bool { if case .handoff = keepalive { true } else { false } }

  package func verdict(on keepalive: Keepalive, in world: World, asked: Occasion) -> Verdict? {
    guard case .handoff(let handoff) = keepalive else { return .silent }
    return verdict(on: handoff, in: world, asked: asked)
  }
}
