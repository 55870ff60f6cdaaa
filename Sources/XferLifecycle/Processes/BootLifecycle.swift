package import XferEvents

/// The clock readings of a machine during one boot.
package struct BootLifecycle: Sendable {
  package let boot: BootID?
  /// The index of the process life that sampled the clocks last.
  package private(set) var process: Int
  package private(set) var firstSample: Sample?
  package private(set) var lastSample: Sample?
  /// The largest steps of the wall clock relative to the time since boot, oldest first.
  package private(set) var steps: [Step] = []

  /// The values of the clocks at one moment.
  package struct Sample: Sendable {
    package let fact: Fact
    package let wall: WallTime
    /// The time since boot, including sleep.
    package let boottime: Duration
  }

  /// A step of the wall clock between two samples.
  package struct Step: Sendable {
    package let before: Sample
    package let after: Sample
    /// The advance of the wall clock beyond the elapsed time; negative if the clock was set back.
    package let size: Duration
  }

  package init(boot: BootID?, process: Int) { (self.boot, self.process) = (boot, process) }

  private static let stepsLimit = 8
  /// The largest step that is attributed to reading the two clocks one after the other and to the gradual correction of the wall
  /// clock.
  private static let noise: Duration = .milliseconds(100)

  private mutating func note(_ step: Step) {
    if steps.count == Self.stepsLimit {
      let smallest = steps.indices.min { steps[$0].size.nanoseconds.magnitude < steps[$1].size.nanoseconds.magnitude }!
      guard steps[smallest].size.nanoseconds.magnitude < step.size.nanoseconds.magnitude else { return }
      steps.remove(at: smallest)
    }
    steps.append(step)
  }

  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) {
    guard let wall = event.wallClock, let boottime = event.boottimeClock else { return }
    self.process = process
    let sample = Sample(fact: fact, wall: wall, boottime: boottime)
    if let before = lastSample {
      let moved = wall.nanoseconds.subtractingClamped(before.wall.nanoseconds)
      let passed = boottime.nanoseconds.subtractingClamped(before.boottime.nanoseconds)
      let size = Duration.nanoseconds(moved.subtractingClamped(passed))
      // Samples of several lanes may arrive out of order. An older sample that arrives late does not show that the clock was set
      // back.
      if passed >= 0, size.nanoseconds.magnitude >= Self.noise.nanoseconds.magnitude {
        note(Step(before: before, after: sample, size: size))
      }
      if passed >= 0 { lastSample = sample }
    } else {
      (firstSample, lastSample) = (sample, sample)
    }
  }
}
