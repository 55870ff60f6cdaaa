import Foundation

/// The commands of a program, as the program itself describes them with `--experimental-dump-help`.
struct ToolDescription: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?

    /// The commands below, without `help`, which every program has.
    var children: [Command] { (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" } }
  }

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      let kind: String
      let name: String
      var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    let kind: Kind
    let shouldDisplay: Bool
    let sectionTitle: String?
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let allValueDescriptions: [String: String]?
    let abstract: String?
  }

  /// Runs a program and reads its description.
  init(program: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Self.output(of: program, ["--experimental-dump-help"]))
  }

  /// Runs a program that must succeed, and returns its standard output.
  static func output(of program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["COLUMNS": "78", "PATH": "/usr/bin:/bin", "HOME": "/dev/null"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ManualProblem(text: "\(program) \(arguments.joined(separator: " ")) exited with \(process.terminationStatus)")
    }
    return text
  }
}

/// A reason why manual pages cannot be written.
struct ManualProblem: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
