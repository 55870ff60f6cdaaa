package import XferEvents

/// One run of a machine: how its clocks went.
package struct BootLifecycle: Sendable {
  package let boot: BootID?
  /// Place of the process life that read the clocks last.
  package private(set) var process: Int
  package private(set) var firstSample: Sample?
  package private(set) var lastSample: Sample?
  /// The times that the wall clock went furthest from the time since boot, in their order.
  package private(set) var steps: [Step] = []

  /// The clocks, read at one moment.
  package struct Sample: Sendable {
    package let fact: Fact
    package let wall: WallTime
    /// Since boot, sleep included.
    package let boottime: Duration
  }

  /// Between two samples.
  package struct Step: Sendable {
    package let before: Sample
    package let after: Sample
    /// By how much the wall clock went further than time did; negative when it was set back.
    package let size: Duration
  }

  package init(boot: BootID?, process: Int) { (self.boot, self.process) = (boot, process) }

  private static let stepsLimit = 8
  /// What reading two clocks one after another, and the daily correction, amount to.
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
      // Lanes of one moment are merged; what was read earlier and comes later is no step back.
      if passed >= 0, size.nanoseconds.magnitude >= Self.noise.nanoseconds.magnitude {
        note(Step(before: before, after: sample, size: size))
      }
      if passed >= 0 { lastSample = sample }
    } else {
      (firstSample, lastSample) = (sample, sample)
    }
  }
}
