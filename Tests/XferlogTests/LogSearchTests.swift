import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Directories that contain logs among other things. Everything is read, or its omission is reported.
@Suite struct LogSearchTests {
  /// Creates logs of three different processes: two log directories, and a segment beside them.
  private static func mixed(in directory: TemporaryDirectory) throws -> String {
    let logs = directory.path("logs")
    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
    for (place, name) in ["a.xlog", "b.xlog", "c.xlog"].enumerated() {
      _ = try RecordedLog.sample(in: directory, name: "logs/\(name)", seed: UInt64(place + 1))
    }
    #expect(try ToolRun.bash("cd \(logs) && mv c.xlog/000001.seg . && rm -r c.xlog").status == 0)
    return logs
  }

  /// Returns the paths of the inputs below `logs` that a replay has read, with the number of their events.
  private static func events(_ run: ToolRun, below logs: String) throws -> [String: Int] {
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    let inputs = try #require(document["inputs"] as? [[String: Any]])
    return inputs.reduce(into: [:]) { found, input in
      guard let path = input["path"] as? String, let events = input["events"] as? Int else { return }
      found[path == logs ? "." : String(path.dropFirst(logs.count + 1))] = events
    }
  }

  private static func replay(_ logs: String) throws -> ToolRun { try ToolRun.xferlog("replay", "-o", "json", logs) }

  /// The ending of the argument, and the stray segment's input relative to the directory.
  private static let endings = [("", "."), ("/", ""), ("/*", "000001.seg")]

  @Test(arguments: endings)
  func `Log directories beside a stray segment are all read`(ending: String, stray: String) throws {
    let directory = TemporaryDirectory()
    let logs = try Self.mixed(in: directory)
    let run = try Self.replay(logs + ending)
    #expect(try Self.events(run, below: logs) == ["a.xlog": 18, "b.xlog": 18, stray: 18], "\(run.standardError)")
    #expect(!run.standardError.contains("ignored"), "\(run.standardError)")
    #expect(try ToolRun.xferlog("show", "--all", logs + ending).lines.count == 54)
  }

  @Test func `Logs in subdirectories and segments under other names are read, and other files are named`() throws {
    let directory = TemporaryDirectory()
    let logs = try Self.mixed(in: directory)
    let script = """
      cd \(logs) && mkdir -p monday/device empty .git && mv b.xlog monday/device && mv 000001.seg a.xlog/first.seg.bak
      echo text > notes.txt; echo text > monday/list.csv; cp monday/device/b.xlog/000001.seg .git/
      ln -s .. monday/loop; ln -s a.xlog latest.xlog; echo > a.xlog/levels
      cp a.xlog/000001.seg a.xlog/000001.seg.4001-0.sealing; touch a.xlog/000001.observed
      """
    #expect(try ToolRun.bash(script).status == 0)
    let run = try Self.replay(logs)
    #expect(
      try Self.events(run, below: logs) == ["a.xlog": 18, "a.xlog/first.seg.bak": 18, "monday/device/b.xlog": 18],
      "\(run.standardError)")
    let names = [".git", "monday/list.csv", "notes.txt"].map { "\(logs)/\($0)" }.joined(separator: ", ")
    #expect(run.standardError.contains("xferlog: ignored: \(names) (they are not logs)"), "\(run.standardError)")
    #expect(!run.text.contains("could not be read"))
  }

  @Test func `A log in a directory that cannot be opened makes the verdict incomplete`() throws {
    let directory = TemporaryDirectory()
    let logs = directory.path("logs")
    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
    let log = try RecordedLog(in: directory, name: "logs/a.xlog")
    log.emit(at: 1, RecordedLog.created)
    log.emit(at: 2, RecordedLog.completed)
    log.close()
    #expect(try ToolRun.xferlog("replay", logs).text.hasSuffix("verdict: clean\n"))
    #expect(try ToolRun.bash("ln -s nowhere \(logs)/b.xlog").status == 0)
    let run = try ToolRun.xferlog("replay", "--strict", logs)
    #expect(run.status == 4 && run.text.hasSuffix("verdict: incomplete\n"), "\(run.text)")
    #expect(run.text.contains("\(logs)/b.xlog: it cannot be opened (No such file or directory)"), "\(run.text)")
  }

  @Test func `A named log that does not exist makes the verdict incomplete`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, RecordedLog.created)
    log.emit(at: 2, RecordedLog.completed)
    log.close()
    for missing in [directory.path("absent.xlog"), directory.path("absent*")] {
      let run = try ToolRun.xferlog("replay", "--strict", log.path, missing)
      #expect(run.status == 4 && run.text.contains("incomplete: an input could not be read: \(missing)"), "\(run.text)")
      let json = try ToolRun.xferlog("replay", "-o", "json", log.path, missing)
      #expect(json.text.contains(#""verdict":"incomplete","complete":false"#), "\(json.text)")
      #expect(json.text.contains(#"{"path":"\#(missing)","format":"unknown""#), "\(json.text)")
      let verify = try ToolRun.xferlog("verify", "--strict", log.path, missing)
      #expect(verify.status == 4 && verify.standardError.contains("1 input was not read"), "\(verify.standardError)")
    }
  }

  @Test func `A directory without logs is rejected, and an empty one has nothing to analyse`() throws {
    let directory = TemporaryDirectory()
    #expect(try ToolRun.bash("mkdir -p \(directory.path)/x/y/z").status == 0)
    #expect(try ToolRun.xferlog("replay", directory.path("x")).status == 3)
    #expect(try ToolRun.bash("echo text > \(directory.path)/x/y/z/notes.txt").status == 0)
    let run = try ToolRun.xferlog("replay", directory.path("x"))
    #expect(run.status == 2 && run.standardError.contains("contains neither segments (.seg) nor logs (.xlog)"))
  }
}

extension RecordedLog {
  fileprivate static let created = TaskCreated(task: task, type: .data, method: "GET")
  fileprivate static let completed = TaskCompleted(task: task, received: 1, status: 200)
}
