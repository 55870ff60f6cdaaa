import Foundation
import LogTestSupport
import Testing

/// The daemon with variables that are empty, as scripts leave them.
struct EmptyVariableTests {
  @Test func `The daemon keeps its state in the home directory if XDG_STATE_HOME is empty`() throws {
    let directory = TemporaryDirectory()
    let script = """
      xferd --directory "$place/run" & daemon=$!
      until [ -e "$place/home/.local/state/xferlog" ] || ! kill -0 $daemon; do :; done
      kill -KILL $daemon; wait $daemon; ls -d "$place"/home/.local/state/*
      """
    let run = try ToolRun(
      "/bin/bash", ["-c", script],
      environment: [
        "place": directory.path, "HOME": directory.path("home"), "XDG_STATE_HOME": "", "XFERLOG_DIR": "",
        "PATH": "\(ToolRun.directory):/usr/bin:/bin",
      ])
    let state = directory.path("home/.local/state")
    #expect(run.lines == ["\(state)/xferd", "\(state)/xferlog"], "\(run.text)\(run.standardError)")
  }
}
