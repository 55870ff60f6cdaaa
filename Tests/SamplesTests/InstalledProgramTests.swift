import Foundation
import LogTestSupport
import Testing
import XferScript

/// Programs that `Samples/install` has installed below a temporary prefix.
struct InstalledProgramTests {
  @Test func `The installed programs need nothing of the build, and find each other`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/file", ScriptedResponse(body: .generated(size: 1000)))])) { server in
      let directory = TemporaryDirectory()
      let prefix = directory.path("usr")
      // The script's build takes minutes, so the programs of this build are installed.
      let environment = [
        "PATH": "\(prefix)/bin:/usr/bin:/bin", "HOME": directory.path("home"), "XFERD_DIR": directory.path("run"),
        "XFERLOG_BIN": ToolRun.directory,
      ]
      func bash(_ script: String) throws -> ToolRun {
        try ToolRun("/bin/bash", ["-euo", "pipefail", "-c", script], environment: environment, in: directory.path)
      }
      let installed = try bash("\(Sample.root)/Samples/install --prefix \(prefix)")
      #expect(installed.status == 0, "\(installed.standardError)")
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
}
