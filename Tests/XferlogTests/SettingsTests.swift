import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Settings from configuration files, the environment and options.
@Suite struct SettingsTests {
  /// A home directory and a working directory with configuration files.
  private struct Place {
    let folder = TemporaryDirectory()

    init(user: String? = nil, project: String? = nil) throws {
      try FileManager.default.createDirectory(atPath: folder.path("home/.config/xferlog"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: folder.path("project"), withIntermediateDirectories: true)
      if let user { _ = try folder.write(Array(user.utf8), to: "home/.config/xferlog/config.yaml") }
      if let project { _ = try folder.write(Array(project.utf8), to: "project/.xferlog.yaml") }
    }

    func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ToolRun {
      try ToolRun(
        ToolRun.tool, arguments,
        environment: environment.merging(["HOME": folder.path("home"), "XFERLOG_PAGING": ""]) { own, _ in own },
        in: folder.path("project"))
    }

    /// Returns the value and the origin of a setting.
    func setting(_ name: String, _ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> [String] {
      let run = try run(["config", "--show-origin"] + arguments, environment)
      #expect(run.status == 0, "\(run.standardError)")
      let lines = run.lines.map { $0.split(separator: #/ {2,}/#).map(String.init) }
      return Array(try #require(lines.first { $0.first == name }, "\(run.text)").dropFirst())
    }
  }

  static let colors: [(user: Bool, project: Bool, environment: [String: String], options: [String], result: [String])] = [
    (false, false, [:], [], ["auto", "default"]),
    (true, false, [:], [], ["always", "USER:2"]),
    (true, true, [:], [], ["never", ".xferlog.yaml:3"]),
    (true, true, ["XFERLOG_COLOR": "auto"], [], ["auto", "environment variable XFERLOG_COLOR"]),
    (true, false, ["NO_COLOR": "1"], [], ["never", "environment variable NO_COLOR"]),
    (false, true, ["FORCE_COLOR": "1"], [], ["always", "environment variable FORCE_COLOR"]),
    (false, true, ["NO_COLOR": "1", "XFERLOG_COLOR": "always"], [], ["always", "environment variable XFERLOG_COLOR"]),
    (true, true, ["XFERLOG_COLOR": "auto"], ["--color", "never"], ["never", "option --color"]),
    (true, true, ["XFERLOG_COLOR": ""], [], ["never", ".xferlog.yaml:3"]),
    (true, true, [:], ["--config", "-"], ["auto", "default"]),
    (true, true, ["XFERLOG_CONFIG": "-"], [], ["auto", "default"]),
  ]

  @Test(arguments: colors)
  func `An option overrides the environment, which overrides the project's file, which overrides the user's`(
    _ color: (user: Bool, project: Bool, environment: [String: String], options: [String], result: [String])
  ) throws {
    let place = try Place(
      user: color.user ? "# mine\ncolor: always\n" : nil, project: color.project ? "zone: utc\n\ncolor: never\n" : nil)
    let user = place.folder.path("home/.config/xferlog/config.yaml")
    let found = try place.setting("color", color.options, color.environment)
    #expect(found == color.result.map { $0.replacing("USER", with: user) })
  }

  @Test func `Every setting can be given in a file and by a variable`() throws {
    let values = [
      ("color", "never", "always"), ("fail-on", "critical", "notice"), ("pager", "more", "most"), ("paging", "never", "always"),
      ("time", "delta", "none"), ("width", "72", "none"), ("zone", "utc", "Asia/Tokyo"),
    ]
    let place = try Place(project: values.map { "\($0.0): \($0.1)\n" }.joined())
    for (line, value) in values.enumerated() {
      #expect(try place.setting(value.0) == [value.1, ".xferlog.yaml:\(line + 1)"])
      let variable = "XFERLOG_" + value.0.uppercased().replacing("-", with: "_")
      #expect(try place.setting(value.0, [], [variable: value.2]) == [value.2, "environment variable \(variable)"])
    }
    #expect(try place.setting("pager", [], ["PAGER": "most"]) == ["most", "environment variable PAGER"])
    #expect(
      try place.setting("pager", [], ["PAGER": "most", "XFERLOG_PAGER": "cat"]) == ["cat", "environment variable XFERLOG_PAGER"])
    #expect(try place.setting("log", [], ["XFERLOG_DIR": "/a.xlog"]) == ["/a.xlog", "environment variable XFERLOG_DIR"])
  }

  @Test func `Limits, rule files and queries have their origin too`() throws {
    let place = try Place(
      user: "limits:\n  lost-completion:\n    patience: 30s\nqueries:\n  slow: took>10s\n",
      project: "limits:\n  lost-completion:\n    patience: 20s\n")
    #expect(try place.setting("limits.lost-completion.patience") == ["20s", ".xferlog.yaml:3"])
    #expect(
      try place.setting("limits.lost-completion.patience", ["--limit", "lost-completion.patience=10s"]) == [
        "10s", "option --limit",
      ])
    #expect(try place.setting("queries.slow")[0] == "took>10s")
  }

  @Test func `The JSON document names the origin of each setting`() throws {
    let place = try Place(project: "color: never\n")
    let run = try place.run(["config", "-o", "json", "--zone", "utc"], ["XFERLOG_TIME": "none"])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    #expect(document["schema"] as? String == "xferlog.config/1")
    let settings = try #require(document["settings"] as? [[String: Any]])
    func setting(_ name: String) -> [String: String] {
      settings.first { $0["name"] as? String == name }?.mapValues { "\($0)" } ?? [:]
    }
    #expect(setting("color") == ["name": "color", "value": "never", "origin": "file", "file": ".xferlog.yaml", "line": "1"])
    #expect(
      setting("zone") == ["name": "zone", "value": "utc", "origin": "option", "option": "--utc"]
        || setting("zone")["option"] == "--zone")
    #expect(setting("time") == ["name": "time", "value": "none", "origin": "environment", "variable": "XFERLOG_TIME"])
    #expect(setting("width") == ["name": "width", "value": "auto", "origin": "default"])
  }

  // MARK: Mistakes

  static let mistakes: [(file: String, message: String)] = [
    ("zone: utc\ncolr: never\n", ".xferlog.yaml:2:1: a configuration file has no key `colr`"),
    ("zone: utc\ncolr: never\n", "color"),
    ("color: blue\n", "`color` cannot be 'blue': expected auto, always or never"),
    ("zone: Europe/Brlin\n", ".xferlog.yaml:1:7: `zone` cannot be 'Europe/Brlin'"),
    ("width: 7\n", "expected auto, none or a number of columns from 20 to 10000"),
    ("fail-on: bad\n", "expected critical, error, warning, notice or never"),
  ]

  @Test(arguments: mistakes)
  func `A mistake in a configuration file is an error with line and advice`(_ mistake: (file: String, message: String)) throws {
    let place = try Place(project: mistake.file)
    for command in [["config"], ["replay", "/nowhere.xlog"], ["show", "/nowhere.xlog"]] {
      let run = try place.run(command)
      #expect(run.status == 2)
      #expect(run.standardError.contains(mistake.message), "\(run.standardError)")
    }
  }

  @Test func `A wrong value of a variable is an error that names the variable`() throws {
    let run = try Place().run(["config"], ["XFERLOG_TIME": "soon"])
    #expect(run.status == 2)
    #expect(
      run.standardError.contains(
        "the environment variable XFERLOG_TIME cannot be 'soon': expected absolute, relative, delta or none"))
  }

  @Test func `Commands that have no settings ignore configuration files`() throws {
    let place = try Place(project: "colr: never\n")
    #expect(try place.run(["--version"]).status == 0)
    #expect(try place.run(["emit", "--log", place.folder.path("run.xlog"), "hello"]).status == 0)
  }

  // MARK: Effects

  @Test func `Settings change the output of commands`() throws {
    let place = try Place(project: "zone: Asia/Tokyo\ncolor: always\nwidth: 60\n")
    let log = try RecordedLog.sample(in: place.folder)
    let colored = try place.run(["show", log, "-n", "1"])
    #expect(colored.text.contains("\u{1b}["))
    let lines = try place.run(["show", log, "-n", "1", "--color", "never"]).lines
    #expect(lines[0].hasPrefix("23:04:22"), "\(lines)")
    #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 60 })
    #expect(
      try place.run(["show", log, "-n", "1", "--color", "never", "--width", "none", "--utc"]).text.hasPrefix(
        "2026-11-20 14:04:22.471Z"))
  }

  @Test func `The setting fail-on decides the exit code of replay`() throws {
    let sample = ToolRun.checkout + "/Samples/killed-before-delivery/log.xlog"
    let place = try Place(project: "fail-on: never\n")
    #expect(try place.run(["replay", sample]).status == 0)
    #expect(try place.run(["replay", sample, "--fail-on", "error"]).status == 1)
    #expect(try place.run(["replay", sample], ["XFERLOG_FAIL_ON": "critical"]).status == 1)
  }

  // MARK: Zones

  /// Options, variables, and the time of the last event as printed without a terminal.
  static let zones: [(options: [String], environment: [String: String], time: String)] = [
    ([], [:], "2026-11-20 14:04:22.471Z"),
    (["--local"], ["TZ": "Asia/Tokyo"], "2026-11-20 23:04:22.471 "),
    (["--zone", "Asia/Tokyo"], ["TZ": "America/New_York"], "2026-11-20 23:04:22.471 "),
    (["-Z", "+05:30"], [:], "2026-11-20 19:34:22.471 "),
    (["--zone", "local"], ["TZ": "America/New_York"], "2026-11-20 09:04:22.471 "),
    (["--zone", "utc"], ["TZ": "Asia/Tokyo"], "2026-11-20 14:04:22.471Z"),
    ([], ["XFERLOG_ZONE": "Asia/Tokyo"], "2026-11-20 23:04:22.471 "),
    (["--utc"], ["XFERLOG_ZONE": "Asia/Tokyo"], "2026-11-20 14:04:22.471Z"),
    (["--local"], ["XFERLOG_ZONE": "Asia/Tokyo", "TZ": "UTC"], "2026-11-20 14:04:22.471 "),
  ]

  @Test(arguments: zones)
  func `Times are printed in the zone that options or settings name`(
    _ zone: (options: [String], environment: [String: String], time: String)
  ) throws {
    let place = try Place()
    let log = try RecordedLog.sample(in: place.folder)
    for command in [["show", log, "-n", "1"], ["tail", log, "-n", "1", "--no-findings"]] {
      let run = try place.run(command + zone.options, zone.environment)
      #expect(run.text.hasPrefix(zone.time), "\(run.text)\(run.standardError)")
    }
  }

  @Test func `Times are read in the zone in which they are printed`() throws {
    let place = try Place()
    let log = try RecordedLog.sample(in: place.folder)
    let run = try place.run(["show", log, "--zone", "Asia/Tokyo", "--since", "2026-11-20 23:04:22"])
    #expect(!run.lines.isEmpty && run.lines.allSatisfy { $0.hasPrefix("2026-11-20 23:04:22.471 ") }, "\(run.text)")
    #expect(
      try place.run(["show", log, "--zone", "Mars/Base"]).standardError.contains("--zone 'Mars/Base': expected auto, utc, local"))
    #expect(
      try place.run(["show", log, "--zone", "utc", "--local"]).standardError.contains(
        "--zone cannot be combined with --utc or --local"))
    #expect(
      try place.run(["show", log, "--utc", "--local"]).standardError.contains("--utc cannot be combined with --local"))
  }

  @Test func `A repeated hour of a night in autumn keeps the order of events`() throws {
    let place = try Place()
    // 2027-10-31T00:30Z and 01:30Z are both 02:30 in Berlin.
    let log = try RecordedLog(in: place.folder)
    let change: Int64 = (1_824_942_600_000_000_000 - RecordedLog.begin) / 1_000_000
    for hour in 0..<3 as Range<Int64> { log.emit(at: change + hour * 3_600_000, TaskResumed(task: RecordedLog.task)) }
    log.close()
    let run = try place.run(["show", log.path, "--zone", "Europe/Berlin", "--event", "task.resumed"])
    #expect(run.lines.map { String($0.prefix(16)) } == ["2027-10-31 02:30", "2027-10-31 02:30", "2027-10-31 03:30"])
  }
}
