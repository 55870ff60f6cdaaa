import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

struct Salvage: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Copy all readable records of a damaged log into a new log.",
    discussion: """
      Events keep their segment, lane (the records of one thread) and position, so references to events of the old log, such as \
      1/2/19, remain valid in the new one. Missing records remain gaps. The old log is not changed. The exit code is 1 if records \
      are lost or a segment could not be salvaged.

      Example: xferlog salvage damaged.xlog --output salvaged.xlog
      """)

  @Argument(help: "Logs or single segments to salvage (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(help: ArgumentHelp("The directory of the new log (must not exist).", valueName: "directory"), completion: .directory)
  var output: String

  func run(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    let outcomes = try LogSalvager(try inputs.logs(for: .salvage), to: self.output).salvage()
    if outcomes.isEmpty { throw CommandExit(.nothingAnalysed, "the log has no segment") }
    var (total, unread) = (LogSalvager.Salvage(), 0)
    let output = StandardOutput(descriptor: surroundings.output)
    var table = TextTable([
      ("segment", .left), ("events", .right), ("missing", .right), ("unreadable", .right), ("unplaced", .right),
      ("before", .right), ("after", .right),
    ])
    for outcome in outcomes {
      let name = outcome.path.fileName ?? outcome.path
      switch outcome.result {
      case .success(let salvage):
        table.append([name] + salvage.cells)
        total = total + salvage
      case .failure(let error):
        StandardError.remark("left out: \(error)")
        if error.code != .unfinished { unread += 1 }
      }
    }
    if !table.isEmpty {
      table.append(["total"] + total.cells)
      table.flush(to: &output.buffer)
    }
    try output.flush()
    if outcomes.allSatisfy({ (try? $0.result.get()) == nil }) { throw CommandExit(.failed, "nothing could be salvaged") }
    if total.missing > 0 || total.unreadableBytes > 0 || total.unplaced > 0 {
      throw CommandExit(.findings, "\(total.missing) \(total.missing == 1 ? "record is" : "records are") known to be lost")
    }
    if unread > 0 { throw CommandExit(.findings, "\(unread.counted("segment")) could not be salvaged; see above") }
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
