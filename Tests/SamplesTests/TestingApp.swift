import Foundation
import LogTestSupport

/// `Samples/TestingApp`, compiled with the modules of this build. A build of the package itself compiles the libraries again, which takes
/// minutes.
struct TestingApp {
  let directory: TemporaryDirectory
  private let program: String

  static let folder = "\(Sample.folder)/TestingApp"
  static let tests = "\(folder)/Tests/TestingAppTests"

  /// The targets whose code the tests contain.
  private static let targets =
    ArticleExample.logTargets + [
      "XferLifecycle", "XferPredicate", "XferSQLite", "XferYAML", "XferRecorder", "XferImport", "XferReplay", "XferDiagnosis",
      "XferRules", "XferQuery", "XferReport", "XferReading", "XferPostmortem", "XferTesting",
    ]

  /// The entry points that SwiftPM generates for a package's tests.
  private static let main = """
    import Testing
    import XCTest

    @main struct Runner {
      static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([
          testCase([
            ("testATileArrives", asyncTest(TileXCTests.testATileArrives)),
            ("testATileArrivesAndIsNeverStored", asyncTest(TileXCTests.testATileArrivesAndIsNeverStored)),
          ])
        ])
      }
    }

    """

  /// Compiles the package.
  ///
  /// - Throws: `ToolFailure` with the compiler's messages.
  init() throws {
    let directory = TemporaryDirectory()
    self.directory = directory
    program = directory.path("tests")
    let main = try directory.write(Array(Self.main.utf8), to: "main-of-tests.swift")
    let common =
      ["-swift-version", "6", "-module-cache-path", "\(ToolRun.directory)/ModuleCache", "-parse-as-library"]
      + ArticleExample.searchPaths
    func compile(_ arguments: [String]) throws {
      let run = try ToolRun(
        ArticleExample.compiler, common + arguments, environment: ["HOME": directory.path, "TMPDIR": directory.path],
        in: directory.path)
      guard run.status == 0 else { throw ToolFailure(description: "\(run.text)\(run.standardError)") }
    }
    try compile(
      ["-module-name", "TestingApp", "-emit-module", "-emit-object", "-wmo", "-o", directory.path("TestingApp.o")]
        + ["-emit-module-path", directory.path("TestingApp.swiftmodule"), "\(Self.folder)/Sources/TestingApp/TileStore.swift"])
    let sources = try FileManager.default.contentsOfDirectory(atPath: Self.tests).sorted().map { "\(Self.tests)/\($0)" }
    let objects = Self.targets.flatMap(ArticleExample.objects)
    try compile(
      ["-module-name", "TestingAppTests", "-I", directory.path, "-o", program, directory.path("TestingApp.o"), main] + sources
        + objects + ["zstd", "crypto", "z", "yaml", "sqlite3"].map { "-l\($0)" })
  }

  /// Runs the tests as `swift test` does.
  func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun(
      program, arguments, environment: ["HOME": directory.path, "TMPDIR": directory.path].merging(environment) { $1 },
      in: directory.path)
  }
}

struct ToolFailure: Error, CustomStringConvertible {
  let description: String
}
