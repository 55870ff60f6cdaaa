import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import xferlog

/// `xferlog replay --step`, with keys from an option and from a terminal.
@Suite struct StepTests {
  private static func frames(_ keys: String, _ more: [String] = [], environment: [String: String] = [:]) throws -> [String] {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog(
      ["replay", "--step", "--keys", keys] + more + [log],
      environment: ["COLUMNS": "120", "LINES": "60"].merging(environment) { $1 })
    #expect(run.status == 0, "\(run.standardError)")
    return run.text.replacing(directory.path, with: "").components(separatedBy: "──── ").dropFirst().map {
      $0.split(separator: "\n", maxSplits: 1).dropFirst().joined()
    }
  }

  @Test func `Stepping back shows the same screens as stepping forward`() throws {
    let (forward, back) = (String(repeating: "n", count: 18), String(repeating: "p", count: 18))
    let frames = try Self.frames(forward + back)
    #expect(frames.count == 37)
    for place in 0...18 { #expect(frames[place] == frames[36 - place], "after \(place)") }
    #expect(Set(frames).count == 19)
  }

  @Test func `The screen shows an event, its changes and its subject`() throws {
    let frame = try #require(Self.frames("gtask:img/7.held\r").last)
    #expect(frame.hasPrefix("#7 of 18  2026-11-20 14:02:07.121Z  /run.xlog\n"))
    for part in [
      "img/7  task.held  waits for hostSlots 6/6", "changed\n", "task img/7  changed", "created → held: hostSlots", "slots",
      "now\n",
    ] {
      #expect(frame.contains(part), "\(part)\n\(frame)")
    }
  }

  /// Keys, with the number in the bar and a text of the screen after them.
  static let paths: [(keys: String, number: Int, says: String)] = [
    ("n", 1, "n forward"), ("nn", 2, ""), (" ", 1, ""), ("\u{1b}[C\u{1b}[C\u{1b}[D", 1, ""), ("p", 0, "before the first event"),
    ("np", 0, ""), ("Gn", 18, "this is the last event"), ("G0", 0, ""), ("g12\r", 12, ""), ("g#12\r", 12, ""),
    ("g#99\r", 0, "there is no event #99"),
    ("gtask:img/7.resumed\r", 9, ""), ("g2026-11-20T14:02:07.121Z\r", 7, ""), ("gwhenever\r", 0, "neither an event nor a time"),
    ("g12\u{7f}\u{7f}3\r", 3, ""), ("g12\u{1b}", 0, ""), ("/transferred\r", 14, ""), ("/docs/1\r", 8, ""),
    ("/docs/1\r/\r", 13, ""),
    ("G/held\r", 7, "search wrapped to the beginning"), ("/nothing\r", 0, "no event or task contains 'nothing'"),
    ("gtask:img/7.held\rN", 9, ""), ("gtask:img/7.held\rNP", 7, ""), ("gtask:img/7.created\rP", 6, "no earlier event of img/7"),
    ("nN", 1, "this event has no task"), ("x", 0, "unknown key"), ("qn", 0, ""), ("?", 0, "press any key to return"),
    ("?n", 0, "n forward"), ("g\u{202e}", 0, #".EVENT: \u202e"#), ("/\u{202e}", 0, #"a task: \u202e"#),
    ("/\u{202e}\r", 0, #"contains '\u202e'"#),
  ]

  @Test(arguments: paths)
  func `Keys move to the expected event`(_ path: (keys: String, number: Int, says: String)) throws {
    let frame = try #require(Self.frames(path.keys).last)
    #expect(frame.contains("#\(path.number) of 18"), "\(frame)")
    #expect(path.says.isEmpty || frame.contains(path.says), "\(frame)")
  }

  @Test func `f moves to the last evidence of the next finding`() throws {
    let run = try ToolRun.xferlog("replay", "--step", "--keys", "f", ReplayLogs.lost)
    #expect(run.text.contains("▶ critical lost-completion (certain)"))
    #expect(try Self.frames("f").last?.contains("finding") == true)
  }

  @Test func `--task limits the events at which stepping stops`() throws {
    let frames = try Self.frames("nnnnn", ["--task", "docs/1"])
    #expect(frames[1].contains("#8 of 18  stop 1 of 3"))
    #expect(frames[3].contains("stop 3 of 3"))
    #expect(frames[5].contains("this is the last event"))
  }

  @Test func `--at sets the first place`() throws {
    #expect(try Self.frames("", ["--at", "#5"]).first?.contains("#5 of 18") == true)
  }

  @Test func `The screen fits the rows and columns of the terminal`() throws {
    for frame in try Self.frames("nnnnnnnn?", environment: ["COLUMNS": "40", "LINES": "12"]) {
      let lines = frame.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count == 12)
      #expect(lines.allSatisfy { $0.count <= 40 })
    }
  }

  @Test func `Keys are decoded from the bytes of terminals`() {
    #expect(
      StepKey.decode(Array("n\u{1b}[A\u{1b}OB\u{1b}[5~\u{1b}[1;5Cä\r\u{7f}\u{1b}".utf8)) == [
        .text("n"), .up, .down, .pageUp, .right, .text("ä"), .enter, .backspace, .escape,
      ])
    #expect(StepKey.decode([0x1B, 0x5B]) == [])
    #expect(StepKey.decode([0x01, 0x1B, 0x5B, 0x39, 0x39, 0x7E]) == [])
  }

  // MARK: On a terminal

  /// Runs the tool on a pseudo-terminal controlled by a Python script, and returns the results of the script.
  private static func onTerminal(_ script: String, _ arguments: [String], environment: [String: String] = [:]) throws -> [String:
    Any]
  {
    let program = """
      import fcntl, json, os, pty, select, signal, struct, sys, termios, time
      def size(fd, rows, columns): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
      pid, fd = pty.fork()
      if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
      size(fd, 30, 100)
      before = termios.tcgetattr(fd)[3]
      seen = b""
      def until(text, limit=60):
        global seen
        start, end = len(seen), time.time() + limit
        while text.encode() not in seen[start:] and time.time() < end:
          if select.select([fd], [], [], 1)[0]:
            try: more = os.read(fd, 65536)
            except OSError: more = b""
            if not more: break
            seen += more
        return text.encode() in seen[start:]
      def press(keys): os.write(fd, keys.encode())
      results = {}
      \(script)
      def wait():
        while True:
          try:
            while select.select([fd], [], [], 0)[0] and os.read(fd, 65536): pass
          except OSError: pass
          done, status = os.waitpid(pid, os.WNOHANG)
          if done: return status
          time.sleep(0.01)
      status = wait()
      results["status"] = os.waitstatus_to_exitcode(status)
      print(json.dumps(results))
      """
    let run = try ToolRun("/usr/bin/env", ["python3", "-c", program, ToolRun.tool] + arguments, environment: environment)
    #expect(run.status == 0, "\(run.standardError)")
    return try #require(
      try JSONSerialization.jsonObject(with: run.standardOutput.isEmpty ? Data() : Data(run.standardOutput)) as? [String: Any])
  }

  private static func results(_ script: String, environment: [String: String] = ["TERM": "xterm"]) throws -> [String: Any] {
    let directory = TemporaryDirectory()
    return try onTerminal(
      script, ["replay", "--step", RecordedLog.sample(in: directory)], environment: environment)
  }

  @Test func `Stepping uses raw mode and the alternate screen, and restores the terminal`() throws {
    let results = try Self.results(
      """
      results["begun"] = until("before the first event")
      results["alternate"] = b"\\x1b[?1049h" in seen
      lflag = termios.tcgetattr(fd)[3]
      results["raw"] = not lflag & (termios.ECHO | termios.ICANON)
      press("n"); results["first"] = until("#1 of 18")
      press("\\x1b[C"); results["second"] = until("#2 of 18")
      press("p"); results["back"] = until("#1 of 18")
      press("gtask:img/7.held\\r"); results["held"] = until("waits for hostSlots 6/6")
      results["color"] = b"\\x1b[7m" in seen
      press("q"); results["left"] = until("\\x1b[?1049l")
      results["restored"] = termios.tcgetattr(fd)[3] == before
      """)
    for name in ["begun", "alternate", "raw", "first", "second", "back", "held", "color", "left", "restored"] {
      #expect(results[name] as? Bool == true, "\(name)")
    }
    #expect(results["status"] as? Int == 0)
  }

  @Test func `A resized window is redrawn`() throws {
    let results = try Self.results(
      """
      until("before the first event")
      size(fd, 12, 40)
      os.kill(pid, signal.SIGWINCH)
      results["redrawn"] = until("#0 of 18")
      start = len(seen)
      press("n"); until("#1 of 18"); until("\\x1b[J", 2)
      frame = seen[seen.rfind(b"\\x1b[H"):]
      results["rows"] = frame.count(b"\\r\\n")
      press("q")
      """)
    #expect(results["redrawn"] as? Bool == true)
    #expect(results["rows"] as? Int == 11)
    #expect(results["status"] as? Int == 0)
  }

  @Test func `NO_COLOR disables styles`() throws {
    let results = try Self.results(
      """
      until("before the first event"); press("n"); until("#1 of 18"); press("q"); until("\\x1b[?1049l")
      import re
      results["styled"] = re.search(rb"\\x1b\\[[0-9;]*m", seen) is not None
      """, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(results["styled"] as? Bool == false)
  }

  @Test func `Ctrl-C ends with 130 and restores the terminal`() throws {
    let results = try Self.results(
      """
      until("before the first event"); press("\\x03")
      results["left"] = until("\\x1b[?1049l")
      results["restored"] = termios.tcgetattr(fd)[3] == before
      """)
    #expect(results["left"] as? Bool == true)
    #expect(results["restored"] as? Bool == true)
    #expect(results["status"] as? Int == 130)
  }
}

enum ReplayLogs {
  static let lost = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples/killed-before-delivery/log.xlog").path
}
