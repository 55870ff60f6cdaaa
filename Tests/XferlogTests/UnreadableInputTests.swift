import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Logs of which another user may not read a part. Never is the verdict about the rest "clean".
@Suite struct UnreadableInputTests {
  /// Runs the tool as a user who may not read files of mode 000, which root may.
  private static func run(_ arguments: String...) throws -> ToolRun {
    if getuid() != 0 { return try ToolRun.xferlog(arguments) }
    let user = ["--reuid", "65534", "--regid", "65534", "--clear-groups", ToolRun.tool]
    return try ToolRun("/usr/bin/setpriv", user + arguments)
  }

  /// Returns a log of two processes that each complete a task.
  private static func log(in directory: TemporaryDirectory, name: String = "run.xlog") throws -> String {
    for seed in 1...2 as ClosedRange<UInt64> {
      let log = try RecordedLog(in: directory, name: name, seed: seed, pid: Int32(4000 + seed), role: .app)
      let task = TaskIdentity(uid: TaskUID(high: seed, low: 1), session: "img", number: UInt32(seed))
      log.emit(at: 1, TaskCreated(task: task, type: .data, method: "GET"))
      log.emit(at: 2, TaskCompleted(task: task, received: 1, status: 200))
      log.close()
    }
    #expect(try ToolRun.bash("chmod -R a+rX \(directory.path)").status == 0)
    return "\(directory.path)/\(name)"
  }

  @Test func `A segment that may not be read makes the verdict incomplete, with its file and its error`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    #expect(try Self.run("replay", log).text.hasSuffix("verdict: clean\n"))
    chmod("\(log)/000001.seg", 0)
    let problem = "\(log)/000001.seg: the segment cannot be read (Permission denied, errno 13)"
    let run = try Self.run("replay", log)
    #expect(run.status == 0 && run.text.hasSuffix("verdict: incomplete\n"), "\(run.text)")
    #expect(run.text.contains("incomplete: an input could not be read: \(problem)"), "\(run.text)")
    #expect(try Self.run("replay", "--strict", log).status == 4)
    let json = try Self.run("replay", "-o", "json", log)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [String: Any])
    #expect(document["verdict"] as? String == "incomplete" && document["complete"] as? Bool == false)
    let input = try #require((document["inputs"] as? [[String: Any]])?.first)
    #expect(input["complete"] as? Bool == false && (input["error"] as? String)?.hasPrefix(problem) == true)
    for command in ["show", "stats", "tail"] {
      let strict = try Self.run(command, "--strict", log)
      #expect(strict.status == 4 && (strict.text + strict.standardError).contains(problem), "\(command): \(strict.standardError)")
    }
    // Nothing shows that the segment is damaged.
    let verify = try Self.run("verify", log)
    #expect(verify.status == 0 && verify.text.hasSuffix("verdict: unreadable\n"), "\(verify.status) \(verify.text)")
    #expect(verify.text.contains("unreadable 000001.seg: the segment cannot be read (Permission denied"), "\(verify.text)")
    #expect(verify.standardError.contains("1 segment could not be opened"), "\(verify.standardError)")
    #expect(try Self.run("verify", "--strict", log).status == 4)
  }

  @Test func `An index is made of a log that cannot be sealed, and the exit code is 2`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    chmod(log, 0o555)
    defer { chmod(log, 0o755) }
    #expect(try ToolRun.bash("mkdir -m 777 \(directory.path("out"))").status == 0)
    let index = directory.path("out/index.sqlite")
    let run = try Self.run("index", "--seal", "--to", index, log)
    #expect(run.status == 2 && run.text.contains(index), "\(run.status) \(run.text)\(run.standardError)")
    #expect(run.standardError.contains("2 segments could not be sealed"), "\(run.standardError)")
  }

  @Test func `A log that may not be listed makes the verdict about the other logs incomplete`() throws {
    let directory = TemporaryDirectory()
    _ = try Self.log(in: directory, name: "logs/a.xlog")
    let hidden = try Self.log(in: directory, name: "logs/b.xlog")
    chmod(hidden, 0)
    defer { chmod(hidden, 0o755) }
    let run = try Self.run("replay", "--strict", directory.path("logs"))
    #expect(run.status == 4 && run.text.hasSuffix("verdict: incomplete\n"), "\(run.text)")
    #expect(run.text.contains("\(hidden): the directory cannot be listed (Permission denied, errno 13)"), "\(run.text)")
  }
}
