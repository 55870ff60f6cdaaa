import ArgumentParser
import XferEvents
import XferLogStore
import XferReport

struct Salvage: ReadingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a new log of everything that can be had of a damaged one.",
    discussion: """
      Events keep their segment, lane and position, so that what points into the old log points into the new one; what is missing \
      stays a gap. The old log is only read. Ends with 1 when records are lost.
      """)

  @Argument(help: "Logs to salvage: directories or single segments.")
  var log: [String] = []

  @Option(help: ArgumentHelp("The log to make; it must not exist.", valueName: "directory"))
  var output: String

  func run(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    let outcomes = try LogSalvager(try inputs.logs(for: .salvage), to: self.output).salvage()
    if outcomes.isEmpty { throw CommandExit(.nothingAnalysed, "the log has no segment") }
    var (total, isLost) = (LogSalvager.Salvage(), false)
    let output = StandardOutput(descriptor: surroundings.output)
    var table = TextTable([
      ("segment", .left), ("events", .right), ("missing", .right), ("unreadable", .right), ("unplaced", .right),
      ("before", .right), ("after", .right),
    ])
    for outcome in outcomes {
      let name = outcome.path.split(separator: "/").last.map(String.init) ?? outcome.path
      switch outcome.result {
      case .success(let salvage):
        table.append([name] + salvage.cells)
        total = total + salvage
      case .failure(let error):
        StandardError.remark("left out: \(error)")
        if error.code != .unfinished { isLost = true }
      }
    }
    if !table.isEmpty {
      table.append(["total"] + total.cells)
      table.flush(to: &output.buffer)
    }
    try output.flush()
    if outcomes.allSatisfy({ (try? $0.result.get()) == nil }) { throw CommandExit(.failed, "nothing could be salvaged") }
    if isLost || total.missing > 0 || total.unreadableBytes > 0 || total.unplaced > 0 {
      throw CommandExit(.findings, "\(total.missing) \(total.missing == 1 ? "record is" : "records are") known to be lost")
    }
  }
}

extension LogSalvager.Salvage {
  fileprivate var cells: [String] {
    [
      "\(events)", "\(missing)", "\(ByteCount(Int64(unreadableBytes)))", "\(unplaced)", "\(ByteCount(Int64(bytesBefore)))",
      "\(ByteCount(Int64(bytesAfter)))",
    ]
  }
}
