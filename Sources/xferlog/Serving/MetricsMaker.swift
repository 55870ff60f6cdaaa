import CXferPlatform
import XferReading
import XferServing

/// Answers requests for metrics with those of the log as it is then.
struct MetricsMaker {
  let metrics: LiveMetrics
  let wakeUp: WakeUp
  /// Makes the metrics of the log as it is now.
  let make: () throws -> String

  /// The maximum sleep without a request, in milliseconds. A request ends the sleep.
  private static let idlePause: Int32 = 500

  /// Works until a signal ends the program.
  func run() throws {
    var last = LiveMetrics.Answer.problem("The metrics are not ready yet.")
    // The monotonic time before which the last metrics are repeated, so that reading a large log takes at most half of the time.
    var nextBegin = Int64.min
    while true {
      try Interruption.check()
      if metrics.isAwaited {
        let begin = xp_clock_monotonic()
        if begin >= nextBegin {
          last = try answer()
          let end = xp_clock_monotonic()
          nextBegin = end + (end - begin)
        }
        metrics.answer(last)
      } else {
        wakeUp.sleep(milliseconds: Self.idlePause)
      }
    }
  }

  private func answer() throws -> LiveMetrics.Answer {
    do {
      return .metrics(try make())
    } catch let error as Interrupted {
      throw error
    } catch {
      let text = (error as? CommandExit)?.reason.description ?? "\(error)"
      return .problem(text.split(separator: "\n").joined(separator: " "))
    }
  }
}
