import Testing
import XferEvents

@testable import XferEngine

struct LaunchTriggerTests {
  @Test(arguments: [
    (Double.nan, Int64.max), (.infinity, .max), (1e300, .max), (-.infinity, .min), (1.5, 1_500_000_000),
  ])
  func `A timer at any time can be logged`(time: Double, nanoseconds: Int64) {
    let armed = LaunchTrigger(.timer, name: "alarm", firesAt: time).armed(1)
    #expect(armed.firesAt?.nanoseconds == nanoseconds)
  }
}
