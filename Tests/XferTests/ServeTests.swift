import Foundation
import LogTestSupport
import Testing

/// Tests of `xfer serve`, run as a mock server for other projects' tests.
struct ServeTests {
  @Test
  func `A script is served until the command is interrupted, and the ledger records every request`() throws {
    let directory = TemporaryDirectory()
    let script = """
      routes:
        - path: /f
          respond: [{ body: first }, { status: 503 }]
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: directory.path("script.yaml")))
    let process = ToolRun.process("xfer", ["serve", "script.yaml", "--ledger", "ledger"], in: directory.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer { process.terminate() }
    var line = ""
    while !line.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    let url = line.dropLast()
    #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/) != nil)
    let environment = ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")]
    let run = try ToolRun("xfer", ["request", "-s", "-w", " %{http_code} ", "\(url)/f", "\(url)/f"], environment: environment)
    #expect(run.text.hasPrefix("first 200 "))
    #expect(run.text.hasSuffix(" 503 "))
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    let ledger = String(decoding: FileManager.default.contents(atPath: directory.path("ledger")) ?? Data(), as: UTF8.self)
    let ends = ledger.split(separator: "\n").filter { $0.contains("\"event\":\"ended\"") }
    #expect(ends.count == 2 && ends[1].contains("\"status\":503"))
  }

  @Test
  func `An invalid script is rejected with the error's position`() throws {
    let directory = TemporaryDirectory()
    try Data("routes:\n  - path: /f\n    respnd: {}\n".utf8).write(to: URL(fileURLWithPath: directory.path("script.yaml")))
    let run = try ToolRun("xfer", ["serve", directory.path("script.yaml")])
    #expect(run.status == 2)
    #expect(run.standardError.contains("script.yaml:3") && run.standardError.contains("respnd"), "\(run.standardError)")
    #expect(try ToolRun("xfer", ["serve", directory.path("none.yaml")]).status == 2)
    #expect(
      try ToolRun("xfer", ["serve", "-", "--host", "0.0.0.0"], input: Array("routes: [{ path: /, respond: {} }]".utf8)).status
        == 2)
  }
}
