import Foundation
import LogTestSupport
import Testing
import XferScript

/// The commands of the article "Install", run with a temporary directory as the prefix.
struct InstallArticleTests {
  /// Returns the commands of the blocks between two headings of the article.
  private static func commands(_ heading: String, to next: String) throws -> String {
    let article = try String(contentsOfFile: "\(Sample.root)/Sources/xferlog/xferlog.docc/Install.md", encoding: .utf8)
    let section = try #require(
      article.components(separatedBy: "## \(heading)\n").last?.components(separatedBy: "## \(next)\n").first)
    return section.components(separatedBy: "```\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element).joined(
      separator: "\n")
  }

  @Test func `The installed programs need nothing of the build, and find each other`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/file", ScriptedResponse(body: .generated(size: 1000)))])) { server in
      let directory = TemporaryDirectory()
      let prefix = directory.path("usr")
      let install = try Self.commands("Copy", to: "Completions") + Self.commands("Completions", to: "The daemon")
      #expect(install.contains("prefix=/usr/local") && install.contains(".build/release/xfer "))
      // The article's build takes minutes, so the programs of this build are installed.
      let script = install.replacing("prefix=/usr/local", with: "prefix=\(prefix)").replacing(
        ".build/release", with: ToolRun.directory)
      let environment = [
        "PATH": "\(prefix)/bin:/usr/bin:/bin", "HOME": directory.path("home"), "XFERD_DIR": directory.path("run"),
      ]
      func bash(_ script: String) throws -> ToolRun {
        try ToolRun("/bin/bash", ["-euo", "pipefail", "-c", script], environment: environment, in: directory.path)
      }
      let installed = try bash(script)
      #expect(installed.status == 0, "\(installed.standardError)")
      let files = try bash("cd \(prefix) && find . -type f -size +0 | sort").lines
      #expect(
        files == [
          "./bin/xfer", "./bin/xferd", "./bin/xferlog", "./share/bash-completion/completions/xferlog",
          "./share/fish/vendor_completions.d/xferlog.fish", "./share/zsh/site-functions/_xferlog",
        ])
      let run = try bash("xfer get -s \(server.url("/file")) && xferlog replay")
      #expect(run.status == 0 && run.lines.last == "verdict: clean", "\(run.text)\(run.standardError)")
      let log = directory.path("home/.local/state/xferlog/log.xlog")
      #expect(FileManager.default.fileExists(atPath: log))
      let daemon = try bash(
        """
        xferd & daemon=$!; trap 'kill $daemon' EXIT
        until [ -S \(directory.path)/run/socket ]; do kill -0 $daemon; done
        xfer conditions; readlink /proc/$daemon/exe
        """)
      #expect(daemon.status == 0 && daemon.lines.last == "\(prefix)/bin/xferd", "\(daemon.text)\(daemon.standardError)")
    }
  }

  @Test func `The unit of the daemon names the installed program`() throws {
    let directory = TemporaryDirectory()
    let commands = try Self.commands("The daemon", to: "Files").split(separator: "\n").filter { !$0.hasPrefix("systemctl") }
    let script = "prefix=/opt/xferlog\n" + commands.joined(separator: "\n")
    let run = try ToolRun(
      "/bin/bash", ["-euo", "pipefail", "-c", script], environment: ["HOME": directory.path], in: Sample.root)
    #expect(run.status == 0, "\(run.standardError)")
    let units = directory.path(".config/systemd/user")
    let service = try String(contentsOfFile: "\(units)/xferd.service", encoding: .utf8)
    #expect(service.contains("ExecStart=/opt/xferlog/bin/xferd") && !service.contains("/usr/bin"))
    #expect(FileManager.default.fileExists(atPath: "\(units)/xferd.socket"))
  }
}
