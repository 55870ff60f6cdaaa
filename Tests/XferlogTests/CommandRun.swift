import Foundation
import LogTestSupport
import XferEvents
import XferImport
import XferReading
import XferReport

@testable import xferlog

/// A command of `xferlog` run in the test process, with importers of the tests. Its standard error is not captured.
struct CommandRun {
  let text: String
  /// The error that ended the command; `nil` when it ended with 0.
  let error: (any Error)?

  /// The exit code and its reason, if the command ended with one.
  var exit: CommandExit? { error as? CommandExit }

  init(
    _ arguments: [String], importers: [any EventImporter] = [PigeonImporter()], input: [UInt8] = [],
    environment: [String: String] = [:]
  ) throws {
    let files = TemporaryDirectory()
    let handles = try ["in": input, "out": []].mapValues { bytes in
      let path = files.path(bytes.isEmpty ? "empty-\(UUID())" : "in")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return (path: path, handle: try FileHandle(forUpdating: URL(fileURLWithPath: path)))
    }
    let (source, output) = (handles["in"]!, handles["out"]!)
    let surroundings = Surroundings(
      environment: ["HOME": files.path].merging(environment) { $1 }, now: { WallTime(nanoseconds: RecordedLog.begin) },
      localZone: .utc, importers: importers, input: source.handle.fileDescriptor, output: output.handle.fileDescriptor)
    var failure: (any Error)?
    do {
      // The configuration of the user who runs the tests is ignored.
      let configuration = ["verify", "salvage"].contains(arguments[0]) ? [] : ["--config", "-"]
      let command = try Execution.parse(arguments + configuration)
      try (command as! any ReadingCommand).run(surroundings)
    } catch {
      failure = error
    }
    error = failure
    text = try String(contentsOfFile: output.path, encoding: .utf8)
  }

  /// The JSON object that the command wrote.
  func document() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
