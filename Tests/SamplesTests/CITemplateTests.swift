import Foundation
import LogTestSupport
import Testing
import XferYAML

/// The templates of `Samples/ci`. Their commands run here as the services would run them.
@Suite struct CITemplateTests {
  private static let folder = "\(Sample.folder)/ci"
  private let directory = TemporaryDirectory()

  private static func yaml(_ name: String) throws -> YAMLNode {
    try YAMLReader.read(Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))), file: name)
  }

  /// The environment of a job with a checkout of xferlog at `xferlog`, whose programs are already built.
  private func environment() throws -> [String: String] {
    try? FileManager.default.createSymbolicLink(atPath: directory.path("xferlog"), withDestinationPath: Sample.root)
    return [
      "XFERLOG_BIN": ToolRun.directory, "HOME": directory.path("home"), "PATH": "/usr/bin:/bin", "TMPDIR": directory.path,
      "XDG_STATE_HOME": directory.path("state"), "XFERLOG_CONFIG": "-",
    ]
  }

  private func bash(_ script: String, _ more: [String: String] = [:]) throws -> ToolRun {
    try ToolRun(
      "/bin/bash", ["-e", "-o", "pipefail", "-c", script], environment: environment().merging(more) { $1 }, in: directory.path)
  }

  /// A command that writes the log of a lost completion.
  private static let failing =
    "mkdir -p \"$XFERLOG_DIR\" && cp \(Sample.folder)/killed-before-delivery/log.xlog/*.seg \"$XFERLOG_DIR\""

  private func write(_ command: String) throws {
    let path = directory.path("run-transfer-tests")
    try Data("#!/bin/bash\n\(command)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  @Test func `The programs are installed once, and again when the sources or the programs change`() throws {
    let provide = "\(Self.folder)/provide"
    let first = try bash("\(provide) tools")
    #expect(first.status == 0 && first.text.contains("programs in "), "\(first.text)\(first.standardError)")
    #expect(try bash("tools/bin/xferlog --version").status == 0)
    let second = try bash("\(provide) tools")
    #expect(second.text == "xferlog is already in \(directory.path("tools"))\n", "\(second.text)")
    // The cache of another version, and one with programs that do not run.
    for damage in ["echo xferlog-other >tools/installed-version", "printf '#!/bin/sh\\nexit 127' >tools/bin/xferlog"] {
      #expect(try bash("\(damage); \(provide) tools").text.contains("programs in "))
      #expect(try bash("\(provide) tools").text.hasPrefix("xferlog is already in "))
    }
    let key = try bash("\(provide) --key").text
    #expect(key.contains(/^xferlog-[a-z0-9.-]+-[a-z0-9_]+-[0-9a-f]{16}\n$/), "\(key)")
    #expect(try bash("\(provide)").status == 2)
  }

  // MARK: Validity

  /// Validates the templates with the services' own schemas, which PyPI's check-jsonschema contains.
  @Test(arguments: [("github/action.yml", "github-actions"), ("gitlab.yml", "gitlab-ci"), ("buildkite.yml", "buildkite")])
  func `A template passes the schema of its service`(_ template: String, _ schema: String) throws {
    let script = """
      import importlib.util, json, os, sys, yaml
      package = os.path.dirname(importlib.util.find_spec("check_jsonschema").origin)
      json.dump(yaml.safe_load(open(sys.argv[1])), open(sys.argv[3], "w"))
      print(os.path.join(package, "builtin_schemas", "vendor", sys.argv[2] + ".json"))
      """
    let document = directory.path("template.json")
    let python = Sample.root + "/.build/python-tools/bin/python3"
    let found = try ToolRun(python, ["-c", script, "\(Self.folder)/\(template)", schema, document])
    let path = try #require(found.lines.first, "\(found.standardError)\nTests/run installs the tools that this test needs.")
    let validate = Sample.root + "/Tests/Support/validate-json"
    let run = try ToolRun(python, [validate, path, document])
    #expect(run.status == 0, "\(run.text)\(run.standardError)")
    // The schema refuses a document with another type of a value.
    try Data(#"{"runs": 1, "steps": 1, "default": 1}"#.utf8).write(to: URL(fileURLWithPath: document))
    #expect(try ToolRun(python, [validate, path, document]).status == 1)
  }

  @Test func `ShellCheck finds no fault in the scripts and in the commands of the templates`() throws {
    var scripts = ["\(Self.folder)/postmortem", "\(Self.folder)/provide", "\(Sample.folder)/install", "\(Sample.folder)/demo"]
    func add(_ commands: [String], _ name: String) throws {
      let path = directory.path(name)
      try Data(("#!/bin/bash\n" + commands.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
      scripts.append(path)
    }
    let steps = try Self.yaml("github/action.yml")["runs"]?["steps"]?.members ?? []
    for (place, script) in steps.compactMap({ $0["run"]?.scalar }).enumerated() { try add([script], "github-\(place)") }
    try add((Self.yaml("gitlab.yml")[".xferlog"]?["before_script"]?.members ?? []).compactMap(\.scalar), "gitlab")
    // Buildkite replaces `$$` by `$`.
    let command = try Self.yaml("buildkite.yml")["steps"]?.members.first?["command"]?.scalar
    try add([command?.replacing("$$", with: "$") ?? ""], "buildkite")
    let jenkins = try String(contentsOfFile: "\(Self.folder)/Jenkinsfile", encoding: .utf8)
    for (place, match) in jenkins.matches(of: /sh (?:\'{3}([^\']*)\'{3}|\'(.*)\'\n)/).enumerated() {
      try add([String(match.1 ?? match.2 ?? "")], "jenkins-\(place)")
    }
    #expect(scripts.count == 4 + 3 + 1 + 1 + 2)
    let run = try ToolRun("/usr/bin/shellcheck", ["-S", "warning"] + scripts)
    #expect(run.status == 0, "\(run.text)\(run.standardError)")
    // It would find one.
    try add(["cd $x; rm -rf *.log; if [ $x = 1 ]; then local y=1; fi"], "bad")
    #expect(try ToolRun("/usr/bin/shellcheck", ["-S", "warning", scripts[scripts.count - 1]]).status == 1)
  }

  // MARK: GitHub

  @Test func `The steps of the action run the command, keep the results and annotate the job`() throws {
    let action = try Self.yaml("github/action.yml")
    let runs = try #require(action["runs"])
    #expect(runs["using"]?.scalar == "composite")
    let steps = try #require(runs["steps"]?.members)
    for step in steps {
      // A value in a script would be code.
      #expect(step["run"]?.scalar?.contains("${{") != true)
      #expect((step["run"] == nil) == (step["uses"] != nil) && (step["run"] == nil || step["shell"]?.scalar == "bash"))
    }
    let cached = try #require(steps.first { $0["uses"]?.scalar?.hasPrefix("actions/cache@") == true })
    #expect(cached["with"]?["path"]?.scalar == "~/.cache/xferlog")
    #expect(
      steps.compactMap { $0["uses"]?.scalar }.map { $0.prefix { $0 != "@" } } == [
        "actions/cache", "github/codeql-action/upload-sarif", "actions/upload-artifact",
      ])
    let inputs = [
      "run": Self.failing, "options": "--anchor Tests/x.sh:4 --fail-on critical", "category": "a b", "directory": "kept",
    ]
    var results: [ToolRun] = []
    for step in steps {
      guard let script = step["run"]?.scalar else { continue }
      var variables = [
        "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": "\(Self.folder)/github", "GITHUB_OUTPUT": directory.path("output"),
        "GITHUB_STEP_SUMMARY": directory.path("summary.md"), "GITHUB_WORKSPACE": directory.path,
      ]
      if case .mapping(let pairs)? = step["env"]?.content {
        for (key, value) in pairs {
          let name = try #require(value.scalar?.firstMatch(of: /^\$\{\{ inputs\.([a-z-]+) \}\}$/)?.1)
          let input: String = try #require(inputs[String(name)])
          variables[key.scalar ?? ""] = input
        }
      }
      results.append(try bash(script, variables))
    }
    #expect(results.map(\.status) == [0, 0, 1], "\(results.map(\.standardError))")
    #expect(
      results[2].text.contains(
        "\n::error file=Tests/x.sh,line=4,title=lost-completion (critical%2C certain)::Task maps/2 finished"))
    #expect(try String(contentsOfFile: directory.path("output"), encoding: .utf8).hasPrefix("key=xferlog-"))
    #expect(
      try String(contentsOfFile: directory.path("summary.md"), encoding: .utf8).hasPrefix("### Transfers (a b): findings\n"))
    let kept = try FileManager.default.contentsOfDirectory(atPath: directory.path("kept")).sorted()
    #expect(
      kept == [
        "gl-code-quality-report.json", "junit.xml", "log.xlog", "replay.json", "replay.txt", "summary.md", "xferlog.sarif",
      ])
    #expect(try !String(contentsOfFile: directory.path("kept/replay.txt"), encoding: .utf8).contains("::error"))
  }

  // MARK: Other services

  @Test func `GitLab's job runs, and its reports exist`() throws {
    let job = try #require(try Self.yaml("gitlab.yml")[".xferlog"])
    let commands = (job["before_script"]?.members ?? []).compactMap(\.scalar)
    try write(Self.failing)
    let script = (commands + ["$XFERLOG_SOURCE/Samples/ci/postmortem --keep postmortem ./run-transfer-tests"]).joined(
      separator: "\n")
    let variables = ["XFERLOG_SOURCE": "xferlog", "XFERLOG_PREFIX": ".cache/xferlog", "GITLAB_CI": "true"]
    for (name, value) in variables where name != "GITLAB_CI" { #expect(job["variables"]?[name]?.scalar == value) }
    let run = try bash(script, variables)
    #expect(run.status == 1 && run.text.contains("lost-completion (certain)"), "\(run.text)\(run.standardError)")
    let reports = try #require(job["artifacts"]?["reports"])
    for name in ["junit", "codequality"] {
      let path = try #require(reports[name]?.scalar)
      #expect(FileManager.default.fileExists(atPath: directory.path(path)), "\(path)")
    }
    // Files appear only in the places that the template names.
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!files.contains("gl-code-quality-report.json"))
    #expect(job["cache"]?["paths"]?.members.first?.scalar == variables["XFERLOG_PREFIX"])
  }

  @Test func `Buildkite's step annotates the build with the summary`() throws {
    let step = try #require(try Self.yaml("buildkite.yml")["steps"]?.members.first)
    let command = try #require(step["command"]?.scalar).replacing("$$", with: "$")
    try write(Self.failing)
    let agent = directory.path("bin/buildkite-agent")
    try FileManager.default.createDirectory(atPath: directory.path("bin"), withIntermediateDirectories: true)
    try Data("#!/bin/sh\necho \"$@\" >agent-arguments; cat >agent-input\n".utf8).write(to: URL(fileURLWithPath: agent))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: agent)
    let run = try bash(command, ["PATH": "\(directory.path("bin")):/usr/bin:/bin"])
    #expect(run.status == 1, "\(run.text)\(run.standardError)")
    #expect(
      try String(contentsOfFile: directory.path("agent-arguments"), encoding: .utf8)
        == "annotate --context transfers --style error\n")
    #expect(try String(contentsOfFile: directory.path("agent-input"), encoding: .utf8).contains("lost-completion"))
  }

  @Test func `Jenkins' stage runs, and publishes files that exist`() throws {
    let text = try String(contentsOfFile: "\(Self.folder)/Jenkinsfile", encoding: .utf8)
    let install = try #require(text.firstMatch(of: /sh '(.*provide.*)'\n/)?.1)
    let play = try #require(text.firstMatch(of: /sh '''\n([^']*)'''/)?.1)
    try write(Self.failing)
    let first = try bash(String(install))
    #expect(first.status == 0, "\(first.standardError)")
    // A second build in the same workspace replaces the results of the first.
    for _ in 0..<2 {
      let run = try bash(String(play))
      #expect(run.status == 1, "\(run.text)\(run.standardError)")
    }
    for match in text.matches(of: /'(postmortem\/[a-z.]+)'/) {
      #expect(FileManager.default.fileExists(atPath: directory.path(String(match.1))), "\(match.1)")
    }
  }
}

extension YAMLNode {
  /// Returns the value of a key of a mapping.
  fileprivate subscript(key: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key.scalar == key }?.value
  }
}
