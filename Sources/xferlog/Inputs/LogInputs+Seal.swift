import XferEvents
import XferLogStore
import XferReading
import XferReport

extension LogInputs {
  /// Seals the finished segments of all log directories and reports the result on standard error.
  ///
  /// - Returns: the number of segments that could not be sealed.
  func seal() throws -> Int {
    var failures = 0
    for case .directory(let directory) in logs {
      let outcomes = LogSealer(directory: directory) { (try? Interruption.check()) == nil }.seal()
      try Interruption.check()
      var (count, before, after): (Int, Int64, Int64) = (0, 0, 0)
      for outcome in outcomes {
        switch outcome.result {
        case .success(let sizes):
          count += 1
          before += Int64(sizes.before)
          after += Int64(sizes.after)
        case .failure(let error):
          failures += 1
          StandardError.remark("not sealed: \(error)")
        }
      }
      guard count > 0 else { continue }
      let segments = count.counted("segment")
      StandardError.remark("sealed \(segments) in \(directory): \(ByteCount(before)) compressed to \(ByteCount(after))")
    }
    return failures
  }
}
