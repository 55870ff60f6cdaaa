import Foundation
import LogTestSupport
import Testing

/// The sample package whose tests record their transfers. Two of them fail, because a completion is lost.
struct TestingAppTests {
  private static let finding = [
    "1 finding: lost-completion", "critical lost-completion (certain)",
    "Task urlsession-", "finished, but its completion callback never returned.", "evidence  ", "missing   delivery.left",
    "remedy    Store a record of every task",
  ]

  /// Returns the line of a file with a text, counted from 1.
  private static func line(of text: String, in file: String) throws -> Int {
    let lines = try String(contentsOfFile: "\(TestingApp.tests)/\(file)", encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  private static func files(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// Checks a report or a log that the test kept.
  private static func check(_ path: String) throws {
    let replay = try ToolRun("xferlog", ["replay", "--config", "-", path])
    #expect(replay.status == 1 && replay.lines.first == "critical lost-completion (certain)", "\(path): \(replay.text)")
    #expect(replay.remarks.last == "xferlog: exit 1 (findings): 1 finding: lost-completion", "\(replay.standardError)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `A test with a lost completion fails at its line with the finding, and its attachments open`() throws {
    let app = try TestingApp()

    // Swift Testing, with attachments.
    let attachments = app.directory.path("attachments")
    try FileManager.default.createDirectory(atPath: attachments, withIntermediateDirectories: true)
    let kept = app.directory.path("kept")
    let testing = try app.run(
      ["--testing-library", "swift-testing", "--attachments-path", attachments], ["XFERLOG_POSTMORTEM": kept])
    #expect(testing.status == 1)
    let text = testing.text + testing.standardError
    // The attribute is at the line of the function, after its indentation.
    let line = try Self.line(of: "func aTileArrivesAndIsNeverStored()", in: "TileTests.swift")
    #expect(text.contains("aTileArrivesAndIsNeverStored() recorded an issue at TileTests.swift:\(line):4"), "\(text)")
    for part in Self.finding { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(text.contains("The report is \(kept)/TileTests.aTileArrivesAndIsNeverStored/report.html"))
    #expect(text.contains("Test aTileArrives() passed"))
    let name = "TileTests.aTileArrivesAndIsNeverStored"
    #expect(try Self.files(in: attachments) == ["\(name)-log.zip", "\(name)-report.html"])
    for file in try Self.files(in: attachments) { try Self.check("\(attachments)/\(file)") }
    #expect(try Self.files(in: kept) == [name], "the log of the test that passes is removed")
    for file in ["report.html", "log.xlog"] { try Self.check("\(kept)/\(name)/\(file)") }

    // XCTest, which has no attachments on Linux, in a package's directory.
    try FileManager.default.createDirectory(atPath: app.directory.path(".build"), withIntermediateDirectories: true)
    let xctest = try app.run([])
    #expect(xctest.status == 1)
    let output = xctest.text + xctest.standardError
    let call = try Self.line(of: "func testATileArrivesAndIsNeverStored()", in: "TileXCTests.swift") + 1
    #expect(output.contains("TileXCTests.swift:\(call): error: TileXCTests.testATileArrivesAndIsNeverStored"), "\(output)")
    for part in Self.finding { #expect(output.contains(part), "\(part)\n\(output)") }
    #expect(output.contains("Test Case 'TileXCTests.testATileArrives' passed"))
    let folder = app.directory.path(".build/postmortem")
    #expect(try Self.files(in: folder) == ["TileXCTests.testATileArrivesAndIsNeverStored"])
    for file in ["report.html", "log.xlog"] { try Self.check("\(folder)/TileXCTests.testATileArrivesAndIsNeverStored/\(file)") }
  }

  @Test func `The manifest of the package names the products that its targets import`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun(
      "/usr/bin/env",
      ["swift", "package", "--package-path", TestingApp.folder, "--scratch-path", directory.path("scratch"), "dump-package"],
      environment: ["HOME": directory.path, "PATH": testVariable("PATH") ?? ""])
    #expect(run.status == 0, "\(run.standardError)")
    for product in ["XferEvents", "XferRecorder", "XferTesting"] { #expect(run.text.contains("\"\(product)\"")) }
    let manifest = try String(contentsOfFile: "\(Sample.root)/Package.swift", encoding: .utf8)
    for product in ["XferEvents", "XferRecorder", "XferTesting"] {
      #expect(manifest.contains(".library(name: \"\(product)\""))
    }
  }
}
