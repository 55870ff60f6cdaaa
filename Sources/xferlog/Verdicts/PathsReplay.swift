import XferReading
import XferReport

/// The replay of many logs, each alone, as `xferlog replay --paths-from` does it for engines that distribute logs over machines.
///
/// Memory use does not grow with the number of logs, and the rows of a log are written before the next log is read.
struct PathsReplay {
  let judge: LogJudge
  let surroundings: Surroundings

  func run(_ lines: inout InputLines) throws -> VerdictRow.End {
    var end = VerdictRow.End()
    while let line = try lines.next() {
      if line.bytes.isEmpty { continue }
      end.logs += 1
      let path = String(decoding: line.bytes, as: UTF8.self)
      if let problem = Self.problem(of: line, path) {
        try judge.refuse(path, problem)
        end.unreadable += 1
      } else if try !judge.judge(path, { try LogInputs(path: path, surroundings) }) {
        end.unreadable += 1
      }
    }
    return end
  }

  private static func problem(of line: InputLines.Line, _ path: String) -> String? {
    if line.isCut { return "the path has \(line.length) bytes, which is more than any system allows" }
    if path == "-" { return "- is standard input, from which the paths are read; name a file" }
    return path.utf8.elementsEqual(line.bytes) ? nil : "the path is not UTF-8"
  }
}
