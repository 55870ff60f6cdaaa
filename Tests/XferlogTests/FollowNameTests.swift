import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xferlog tail -f` on logs that are removed, renamed, replaced or created while they are followed.
@Suite(.timeLimit(.minutes(2))) struct FollowNameTests {
  /// A log with one event, written by a process of its own.
  private static func write(_ note: String, to name: String = "run.xlog", in directory: TemporaryDirectory, seed: UInt64) throws {
    let log = try RecordedLog(in: directory, name: name, seed: seed)
    log.emit(at: Int64(seed), AppNoted(intent: note))
    log.close()
  }

  private static func follower(_ paths: [String]) throws -> Follower {
    try Follower(["tail", "-f", "--no-findings", "-n", "all", "-o", "ndjson"] + paths)
  }

  private static func wait(_ follower: Follower, for note: String) -> [String] {
    let isThere = { (lines: [String]) in lines.contains { $0.contains(note) } }
    let lines = follower.lines(until: isThere)
    #expect(isThere(lines), "\(note)")
    return lines
  }

  /// Waits until standard error has a text a number of times.
  private static func expect(_ follower: Follower, _ text: String, times: Int = 1) {
    let isThere = { (all: String) in all.components(separatedBy: text).count > times }
    let all = follower.remarks(until: isThere)
    #expect(isThere(all), "\(text): \(all)")
  }

  /// How a log is taken away from its name.
  enum Removal: String, CaseIterable { case removed, renamed, emptied }

  @Test(arguments: Removal.allCases, [false, true])
  func `A log that is created again under its name is followed, and the change is reported`(
    removal: Removal, isSeen: Bool
  ) throws {
    let directory = TemporaryDirectory()
    let path = directory.path("run.xlog")
    try Self.write("note-0", in: directory, seed: 1)
    let follower = try Self.follower([path])
    _ = Self.wait(follower, for: "note-0")
    for round in 1...3 {
      switch removal {
      case .removed: try FileManager.default.removeItem(atPath: path)
      case .renamed: try FileManager.default.moveItem(atPath: path, toPath: directory.path("old-\(round).xlog"))
      // The directory stays.
      case .emptied: #expect(try ToolRun.bash("rm \(path)/*").status == 0)
      }
      // The log may be created again before the follower sees that it is missing.
      if isSeen, removal != .emptied { Self.expect(follower, "\(path) was removed or renamed; waiting for it", times: round) }
      try Self.write("note-\(round)", in: directory, seed: UInt64(round + 1))
      _ = Self.wait(follower, for: "note-\(round)")
      if isSeen { Self.expect(follower, removal == .emptied ? "\(path) was replaced" : "\(path) exists now", times: round) }
    }
    let all = follower.remarks { $0.components(separatedBy: "following").count > 3 }
    #expect(all.components(separatedBy: "following").count == 4, "\(all)")
    follower.interrupt()
    let notes = follower.rest().filter { $0.contains("app.noted") }
    #expect(notes.count == 4, "\(notes)")
  }

  @Test func `Of several logs, each is followed by its own name`() throws {
    let directory = TemporaryDirectory()
    let (one, two) = (directory.path("one.xlog"), directory.path("two.xlog"))
    try Self.write("first-one", to: "one.xlog", in: directory, seed: 1)
    try Self.write("first-two", to: "two.xlog", in: directory, seed: 2)
    let follower = try Self.follower([one, two])
    _ = Self.wait(follower, for: "first-one")
    _ = Self.wait(follower, for: "first-two")
    try FileManager.default.removeItem(atPath: one)
    Self.expect(follower, "xferlog: \(one) was removed or renamed; waiting for it to be created again\n")
    try Self.write("second-two", to: "two.xlog", in: directory, seed: 3)
    _ = Self.wait(follower, for: "second-two")
    try FileManager.default.moveItem(atPath: two, toPath: one)
    // The file that was `two.xlog` is now `one.xlog`, and its events are not shown twice.
    Self.expect(follower, "\(one) exists now; following it")
    Self.expect(follower, "\(two) was removed or renamed")
    try Self.write("third-two", to: "two.xlog", in: directory, seed: 4)
    _ = Self.wait(follower, for: "third-two")
    try Self.write("third-one", to: "one.xlog", in: directory, seed: 5)
    let lines = Self.wait(follower, for: "third-one")
    for note in ["first-one", "first-two", "second-two", "third-two", "third-one"] {
      #expect(lines.count { $0.contains(note) } == 1, "\(note)")
    }
  }

  @Test func `A link that leads to another log is followed`() throws {
    let directory = TemporaryDirectory()
    try Self.write("of-a", to: "a.xlog", in: directory, seed: 1)
    try Self.write("of-b", to: "b.xlog", in: directory, seed: 2)
    let link = directory.path("latest.xlog")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.xlog")
    let follower = try Self.follower([link])
    _ = Self.wait(follower, for: "of-a")
    #expect(try ToolRun.bash("ln -sfn b.xlog \(link)").status == 0)
    _ = Self.wait(follower, for: "of-b")
    Self.expect(follower, "xferlog: \(link) was replaced; following the new one\n")
  }

  @Test func `A single segment is followed by its name`() throws {
    let directory = TemporaryDirectory()
    try Self.write("note-0", in: directory, seed: 1)
    let follower = try Self.follower([directory.path("run.xlog/000001.seg")])
    _ = Self.wait(follower, for: "note-0")
    try FileManager.default.removeItem(atPath: directory.path("run.xlog"))
    Self.expect(follower, "000001.seg was removed or renamed")
    try Self.write("note-1", in: directory, seed: 2)
    _ = Self.wait(follower, for: "note-1")
    Self.expect(follower, "000001.seg exists now")
  }

  @Test func `Sealing a followed log repeats no event`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("run.xlog")
    try Self.write("note-0", in: directory, seed: 1)
    let follower = try Self.follower([path])
    _ = Self.wait(follower, for: "note-0")
    #expect(!LogSealer(directory: path, observer: .current()).seal().isEmpty)
    try Self.write("note-1", in: directory, seed: 2)
    #expect(Self.wait(follower, for: "note-1").count { $0.contains("note-0") } == 1)
    follower.interrupt()
    #expect(follower.rest().count { $0.contains("note-0") } == 1)
  }

  /// A copy of a log that grows is copied again under another name and renamed, as `rsync` does.
  @Test func `A copy that is renewed under its name shows the new events only`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, name: "source.xlog")
    log.emit(at: 1, AppNoted(intent: "note-0"))
    let copy = directory.path("copy.xlog")
    let renew = "mkdir -p \(copy) && cp \(log.path)/000001.seg \(copy)/.new && mv \(copy)/.new \(copy)/000001.seg"
    #expect(try ToolRun.bash(renew).status == 0)
    let follower = try Self.follower([copy])
    _ = Self.wait(follower, for: "note-0")
    for round in 1...3 {
      log.emit(at: Int64(round + 1), AppNoted(intent: "note-\(round)"))
      #expect(try ToolRun.bash(renew).status == 0)
      _ = Self.wait(follower, for: "note-\(round)")
    }
    log.close()
    follower.interrupt()
    let notes = follower.rest().filter { $0.contains("app.noted") }
    #expect(notes.count == 4, "\(notes)")
  }

  @Test(arguments: ["logs", "logs/*.xlog", "empty"])
  func `A log that is created in a followed directory, or that matches a followed pattern, is followed`(argument: String) throws {
    let directory = TemporaryDirectory()
    #expect(try ToolRun.bash("mkdir \(directory.path)/logs \(directory.path)/empty").status == 0)
    try Self.write("note-a", to: "logs/a.xlog", in: directory, seed: 1)
    let follower = try Self.follower([directory.path(argument), directory.path("other.xlog")])
    let folder = argument == "empty" ? argument : "logs"
    if folder == "logs" { _ = Self.wait(follower, for: "note-a") } else { Self.expect(follower, "waiting for") }
    try Self.write("note-b", to: "\(folder)/b.xlog", in: directory, seed: 2)
    _ = Self.wait(follower, for: "note-b")
    Self.expect(follower, "\(directory.path(folder))/b.xlog exists now; following it")
    try Self.write("note-c", to: "\(folder)/b.xlog", in: directory, seed: 3)
    #expect(Self.wait(follower, for: "note-c").count { $0.contains("note-b") } == 1)
  }
}
