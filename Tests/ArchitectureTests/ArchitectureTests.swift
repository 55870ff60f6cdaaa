import Foundation
import Testing

/// Tests of the dependencies between targets, as the manifest declares them. SwiftPM's check of explicit dependencies in `Tests/run`
/// rejects imports that the manifest does not declare.
struct ArchitectureTests {
  /// The targets that write logs, which apps link, and those that read them.
  private static let writing: Set = ["XferLogStore", "XferSwiftLog", "XferEngine", "XferService", "XferRecorder"]
  private static let reading: Set = [
    "XferImport", "XferPredicate", "XferDiagnosis", "XferRules", "XferQuery", "XferReport", "XferIndex", "XferServing",
  ]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  /// The targets that depend on both. Apps do not link them.
  private static let joining: Set = ["XferReading", "XferPostmortem", "XferTesting"]

  private static func imports(of target: String) throws -> [(file: String, module: String)] {
    let directory = sources.appendingPathComponent(target)
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    var found: [(file: String, module: String)] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count else { continue }
        found.append((file.lastPathComponent, String(words[place + 1])))
      }
    }
    return found
  }

  /// A target of the manifest.
  private struct Target {
    let isLibrary: Bool
    /// The targets of this package that the manifest declares for the target.
    let direct: Set<String>
    /// The targets of this package that the target depends on, directly or through others.
    var dependencies: Set<String>
  }

  /// Returns the targets of the manifest by name.
  private static func targets() throws -> [String: Target] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A scratch path of its own, because `swift test` has locked the package's.
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("architecture-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let package = sources.deletingLastPathComponent().path
    process.arguments = ["swift", "package", "--package-path", package, "--scratch-path", scratch, "dump-package"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let json = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)

    let manifest = try JSONDecoder().decode(Manifest.self, from: json)
    let direct = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, Set($0.dependencies.compactMap(\.target))) })
    func all(_ name: String) -> Set<String> {
      let next = direct[name, default: []].filter { direct[$0] != nil }
      return next.reduce(into: Set(next)) { $0.formUnion(all($1)) }
    }
    return Dictionary(
      uniqueKeysWithValues: manifest.targets.map { target in
        let direct = direct[target.name, default: []].filter { direct[$0] != nil }
        return (target.name, Target(isLibrary: target.type == "regular", direct: direct, dependencies: all(target.name)))
      })
  }

  private struct Manifest: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let name: String
      let type: String
      let dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      /// The name of a target of this package; `nil` for another package's product.
      let target: String?

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        let kind: Kind? = [.byName, .target].first { container.contains($0) }
        // The first element is the name, the second a condition.
        target = try kind.flatMap { try container.decode([Element].self, forKey: $0).first?.name }
      }

      private enum Kind: String, CodingKey { case byName, target, product }

      private struct Element: Decodable {
        let name: String?
        init(from decoder: any Decoder) throws { name = try? decoder.singleValueContainer().decode(String.self) }
      }
    }
  }

  @Test func `Writing and reading targets are independent, and no library depends on an executable`() throws {
    let targets = try Self.targets()
    #expect(Self.writing.union(Self.reading).union(Self.joining).isSubset(of: targets.keys))
    for (name, target) in targets where target.isLibrary {
      if Self.writing.contains(name) { #expect(target.dependencies.isDisjoint(with: Self.reading), "\(name)") }
      if Self.reading.contains(name) { #expect(target.dependencies.isDisjoint(with: Self.writing), "\(name)") }
      // DemoPrograms has no code.
      if name == "DemoPrograms" { continue }
      if !Self.joining.contains(name) { #expect(target.dependencies.isDisjoint(with: Self.joining), "\(name)") }
      #expect(target.dependencies.filter { $0.first?.isLowercase == true } == [], "\(name)")
    }
  }

  @Test func `Only the library for tests imports the frameworks for tests`() throws {
    for target in try Self.targets().keys where FileManager.default.fileExists(atPath: Self.sources.path + "/" + target) {
      let frameworks = Set(try Self.imports(of: target).map(\.module)).intersection(["Testing", "XCTest"])
      #expect(frameworks == (target == "XferTesting" ? ["Testing", "XCTest"] : []), "\(target)")
    }
  }

  /// An unused dependency delays builds, and suggests a connection that does not exist.
  @Test func `Every dependency that a target declares is imported`() throws {
    for (name, target) in try Self.targets() where FileManager.default.fileExists(atPath: Self.sources.path + "/" + name) {
      let imported = Set(try Self.imports(of: name).map(\.module))
      guard !imported.isEmpty else { continue }
      // The privacy manifest has a resource and nothing to import.
      #expect(target.direct.subtracting(imported).subtracting(["XferPrivacyManifest"]) == [], "\(name)")
    }
  }

  @Test(arguments: ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferRules", "XferQuery"])
  func `A pure target imports neither Foundation nor system modules`(_ target: String) throws {
    let banned: Set = ["Foundation", "FoundationEssentials", "Glibc", "Darwin", "Dispatch", "Synchronization"]
    for (file, module) in try Self.imports(of: target) {
      #expect(!banned.contains(module), "\(target)/\(file) imports \(module)")
    }
  }

  /// Loading Foundation would take a third of the tool's start-up time.
  @Test(arguments: [
    "XferLogStore", "XferSwiftLog", "XferImport", "XferPredicate", "XferReport", "XferYAML", "XferRules", "XferSQLite",
    "XferIndex", "XferServing", "xferlog",
  ])
  func `A target of the reading tool does not import Foundation`(_ target: String) throws {
    for (file, module) in try Self.imports(of: target) {
      #expect(module != "Foundation", "\(target)/\(file) imports \(module)")
    }
  }

  /// The network belongs to one target of the reading tool.
  @Test func `Only the server of reports imports the network library among the reading targets`() throws {
    for target in Self.reading.union(Self.joining).union(["xferlog"]).subtracting(["XferServing"]) {
      for (file, module) in try Self.imports(of: target) {
        #expect(!module.hasPrefix("NIO"), "\(target)/\(file) imports \(module)")
      }
    }
  }

  /// An empty variable counts as not set. Code that reads the environment in another way would not know.
  @Test func `Environment variables are read only where empty ones count as not set`() throws {
    let root = Self.sources.deletingLastPathComponent()
    var readers: [String] = []
    for folder in [
      "Sources", "Tests/Support", "Tests/CurlCaseTests", "Tests/SamplesTests", "Tests/XferServiceTests",
      "Tests/XferLogStoreTests",
    ] {
      let files = FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard ["swift", "c", "h"].contains(file.pathExtension) else { continue }
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        where !line.contains(".withoutEmptyVariables") {
          let isReader = ["getenv(", "ProcessInfo.processInfo.environment", "environ\n"].contains { (line + "\n").contains($0) }
          if isReader, !line.contains("setenv(") {
            readers.append("\(file.lastPathComponent): \(line.trimmingCharacters(in: .whitespaces))")
          }
        }
      }
    }
    #expect(
      readers.sorted() == [
        // The function for single variables, and the tool's own dictionary, from which empty variables are removed.
        "Surroundings.swift: var entry = environ", "platform.c: const char *value = getenv(name);",
      ])
  }
}
