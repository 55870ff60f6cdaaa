import Foundation
import LogTestSupport
import Testing

/// Tests of scripted apps with real processes.
@Suite(.serialized) struct ActorScenarioTests {
  private func run(_ yaml: String, _ options: String...) throws -> ToolRun {
    let folder = TemporaryDirectory()
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder.path("s.yaml")))
    return try ToolRun(
      "xfer", ["scenario", "run"] + options + [folder.path("s.yaml")], environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  @Test(.timeLimit(.minutes(3)), arguments: ActorScenario.all)
  func `A scripted app does what its script says, and so does its twin`(scenario: ActorScenario) throws {
    let run = try run(scenario.yaml)
    #expect(run.status == 0, "\(scenario.name): \(run.text)\(run.standardError)")
    #expect(run.text.split(separator: "\n").count { $0.hasPrefix("ok    ") } == (scenario.yaml.contains("twin:") ? 2 : 1))
  }

  @Test(.timeLimit(.minutes(2))) func `What an app could not do is printed with its line if an expectation is not met`() throws {
    let run = try run(
      """
      scenario: impossible
      actors:
        reader:
          app: Reader
          launch:
            - { resume: nothing }
            - { write: { path: $FILES/done, text: x } }
      steps: [{ launch: reader }, { wait: { file: done } }]
      expect: { requests: 1 }
      twin: { scenario: right, replace: "requests: 1", with: "requests: 0", expect: { requests: 0 } }
      """)
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("FAIL  impossible\n      requests: expected 1, found 0\n"), "\(run.text)")
    #expect(run.text.contains("Reader, launch 1: line 6: resume: the app has no task nothing\n"), "\(run.text)")
    #expect(run.text.hasSuffix("ok    right\n"), "\(run.text)")
  }

  @Test(.timeLimit(.minutes(2)), arguments: [("scenario", "ok    wrong\n"), ("twin", "ok    right\n")])
  func `Only the scenario or only its twin is run on request`(part: String, text: String) throws {
    let yaml = "scenario: wrong\nsteps: []\nexpect: { requests: 0 }\n"
    let twin = "twin: { scenario: right, replace: \"steps: []\", with: \"steps: [{ pause: 1ms }]\", expect: { requests: 0 } }\n"
    let run = try run(yaml + twin, "--only", part)
    #expect(run.status == 0 && run.text == text, "\(run.text)\(run.standardError)")
  }

  @Test(.timeLimit(.minutes(2))) func `Scenarios that run at the same time are printed in their order`() throws {
    let folder = TemporaryDirectory()
    var files: [String] = []
    for (number, time) in ["600ms", "1ms", "300ms"].enumerated() {
      files.append(folder.path("\(number).yaml"))
      try Data("scenario: number \(number)\nsteps: [{ pause: \(time) }]\n".utf8).write(to: URL(fileURLWithPath: files[number]))
    }
    let run = try ToolRun("xfer", ["scenario", "run", "--jobs", "3"] + files)
    #expect(run.status == 0 && run.text == "ok    number 0\nok    number 1\nok    number 2\n", "\(run.text)\(run.standardError)")
  }

  @Test func `A script is checked without running it`() throws {
    let folder = TemporaryDirectory()
    try Data("app: A\nlaunch: [crash]\n".utf8).write(to: URL(fileURLWithPath: folder.path("good.yaml")))
    try Data("app: A\nlaunch: [crush]\n".utf8).write(to: URL(fileURLWithPath: folder.path("bad.yaml")))
    let good = try ToolRun("xfer", ["actor", "--check", folder.path("good.yaml")])
    #expect(good.status == 0 && good.text == "\(folder.path("good.yaml")): ok\n", "\(good.text)\(good.standardError)")
    for options in [["--check"], []] {
      let bad = try ToolRun("xfer", ["actor"] + options + [folder.path("bad.yaml")])
      #expect(bad.status == 2)
      #expect(bad.standardError.contains("bad.yaml:2:10: launch[0]: unknown action `crush`"), "\(bad.standardError)")
    }
  }
}
