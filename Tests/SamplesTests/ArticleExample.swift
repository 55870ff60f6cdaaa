import Foundation
import LogTestSupport
import Testing

/// A Swift example of an article, with what the article tells the compiler about it.
///
/// Each ` ```swift ` block is compiled as a `main.swift` of its own, so it states its imports. An HTML comment directly before a
/// block changes that:
///
/// - `<!-- continues -->`: the block is compiled together with the block before it.
/// - `<!-- given` … `-->`: the lines of the comment are compiled before the block. They declare what the text assumes.
/// - `<!-- not compiled: REASON -->`: the block is left out.
struct ArticleExample: Sendable, CustomTestStringConvertible {
  /// The path of the article below the root of the checkout.
  let article: String
  /// The line of the article at which the example's first block begins.
  let line: Int
  private(set) var code: String

  var testDescription: String { "\(article):\(line)" }

  init(article: String, line: Int, code: String) {
    self.article = article
    self.line = line
    self.code = code
  }

  /// The articles, and the README files of the root, the samples and the dashboards.
  static let articles: [String] = {
    let folders = ["Sources/xferlog/xferlog.docc", "Samples", "Dashboards"]
    let paths = folders.flatMap { folder in
      let files = FileManager.default.enumerator(atPath: "\(Sample.root)/\(folder)")?.allObjects as? [String]
      // A sample that was built by itself contains its dependencies.
      return (files ?? []).filter { !$0.contains("/.build/") }.map { "\(folder)/\($0)" }
    }
    return ["README.md"] + paths.filter { $0.hasSuffix(".md") }.sorted()
  }()

  /// The examples of all articles.
  static let all: [ArticleExample] = articles.flatMap { article in
    examples(in: (try? String(contentsOfFile: "\(Sample.root)/\(article)", encoding: .utf8)) ?? "", article: article)
  }

  /// Returns the examples of an article's text.
  static func examples(in text: String, article: String) -> [ArticleExample] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var examples: [ArticleExample] = []
    var comment = ""
    var place = 0
    while place < lines.count {
      let begin = place
      if lines[place].hasPrefix("<!--") {
        while place < lines.count, !lines[place].hasSuffix("-->") { place += 1 }
        comment = lines[begin..<min(place + 1, lines.count)].joined(separator: "\n")
      } else if lines[place] == "```swift" {
        while place < lines.count, lines[place] != "```" { place += 1 }
        let block = lines[(begin + 1)..<min(place, lines.count)].joined(separator: "\n") + "\n"
        if comment == "<!-- continues -->", !examples.isEmpty {
          examples[examples.count - 1].code += block
        } else if !comment.hasPrefix("<!-- not compiled:") {
          examples.append(ArticleExample(article: article, line: begin + 1, code: given(in: comment) + block))
        }
        comment = ""
      } else if !lines[place].isEmpty {
        comment = ""
      }
      place += 1
    }
    return examples
  }

  private static func given(in comment: String) -> String {
    guard comment.hasPrefix("<!-- given\n") else { return "" }
    return comment.dropFirst("<!-- given\n".count).dropLast("-->".count) + "\n"
  }

  // MARK: Compiling

  /// The target for writing a log, and the targets that it depends on.
  static let logTargets = ["XferLogStore", "XferEvents", "XferThreads", "XferCrypto", "CXferPlatform"]

  /// Compiles the example with the libraries for logging and runs it in a directory.
  func run(in directory: TemporaryDirectory) throws -> ToolRun {
    let file = try directory.write(Array(code.utf8), to: "main.swift")
    let objects = (Self.logTargets + ["XferSwiftLog", "Logging"]).flatMap(Self.objects)
    let program = directory.path("example")
    let compiled = try ToolRun(
      Self.compiler,
      ["-swift-version", "6", "-module-cache-path", "\(ToolRun.directory)/ModuleCache"] + Self.searchPaths + [
        file, "-o", program,
      ]
        + objects + ["-lzstd", "-lcrypto"],
      environment: ["HOME": directory.path, "TMPDIR": directory.path])
    return compiled.status == 0 ? try ToolRun(program, [], in: directory.path) : compiled
  }

  /// Returns the object files of a target of the build.
  static func objects(of target: String) -> [String] {
    let folder = "\(ToolRun.directory)/\(target).build"
    // A build leaves the objects of files that were renamed since the build before. The map of a target in Swift lists the current ones.
    if let map = FileManager.default.contents(atPath: "\(folder)/output-file-map.json"),
      let outputs = try? JSONDecoder().decode([String: [String: String]].self, from: map)
    {
      return outputs.values.compactMap { $0["object"] }.filter(FileManager.default.fileExists).sorted()
    }
    let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".o") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Returns what the compiler reports, which is empty for an example without errors and warnings.
  func diagnostics() throws -> String {
    let directory = TemporaryDirectory()
    let file = try directory.write(Array(code.utf8), to: "main.swift")
    let run = try ToolRun(
      Self.compiler,
      ["-typecheck", "-swift-version", "6", "-module-cache-path", "\(ToolRun.directory)/ModuleCache"] + Self.searchPaths + [file],
      environment: ["HOME": directory.path, "TMPDIR": directory.path])
    return run.status == 0 ? run.standardError : "status \(run.status)\n\(run.standardError)"
  }

  /// The path of `swiftc` in `PATH`, with symbolic links resolved.
  static let compiler: String = {
    let folders = (testVariable("PATH") ?? "").split(separator: ":")
    let found = folders.map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile)
    return URL(fileURLWithPath: found ?? "/usr/bin/swiftc").deletingLastPathComponent().resolvingSymlinksInPath().path + "/swiftc"
  }()

  /// The options that make the modules of the build and of package manifests visible.
  static let searchPaths: [String] = {
    let manifests = URL(fileURLWithPath: compiler).deletingLastPathComponent().deletingLastPathComponent().path
    let built = (try? FileManager.default.contentsOfDirectory(atPath: ToolRun.directory)) ?? []
    let sources = (try? FileManager.default.contentsOfDirectory(atPath: "\(Sample.root)/Sources")) ?? []
    // C targets have a module map of their own, or one that was written by the build.
    let maps =
      built.sorted().map { "\(ToolRun.directory)/\($0)/module.modulemap" }
      + sources.sorted().map { "\(Sample.root)/Sources/\($0)/module.modulemap" }
    return ["-I", "\(ToolRun.directory)/Modules"]
      + ["-I", "\(manifests)/lib/swift/pm/ManifestAPI", "-package-description-version", "6.2"]
      + maps.filter(FileManager.default.fileExists).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }()
}
