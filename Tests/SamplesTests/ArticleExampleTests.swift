import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that the Swift examples of the articles compile, and that the quick start does what its article says.
struct ArticleExampleTests {
  @Test(arguments: ArticleExample.all)
  func `An example of an article compiles without warnings`(_ example: ArticleExample) throws {
    #expect(try example.diagnostics() == "")
  }

  @Test
  func `Every article with Swift examples is compiled`() {
    let articles = Set(ArticleExample.all.map(\.article))
    for name in ["BackgroundSessions", "Logging", "QuickStart", "RecordingURLSession", "Transferring"] {
      #expect(articles.contains("Sources/xferlog/xferlog.docc/\(name).md"))
    }
  }

  /// The examples of "Logging" that need no server, and what their logs then show.
  private static let logging = ["log.close()", "Gave up after", "log.keep", "within(\"import\"", "XferLogHandler"]

  @Test(arguments: zip(logging, ["log.closed", "Gave up after 3 attempts", "Server sent 1 of 2", "import", "example.com"]))
  func `An example of the article about logging runs, and its log shows what it logs`(part: String, shown: String) throws {
    var example = try #require(ArticleExample.all.first { $0.article.hasSuffix("/Logging.md") && $0.code.contains(part) })
    let directory = TemporaryDirectory()
    example = ArticleExample(
      article: example.article, line: example.line,
      code: example.code.replacing("/var/lib/example", with: directory.path("state")))
    let run = try example.run(in: directory)
    #expect(run.status == 0, "\(run.standardError)")
    let log = directory.path("run.xlog")
    let verify = try ToolRun("xferlog", ["verify", log])
    #expect(verify.status == 0 && verify.text.hasSuffix("verdict: whole\n"), "\(verify.text)")
    #expect(try ToolRun("xferlog", ["show", "--all", "--debug", log]).text.contains(shown))
  }

  /// Without it, an app that follows a page writes a log that replays as incomplete.
  @Test(arguments: ["BackgroundSessions", "Logging", "QuickStart", "RecordingURLSession", "Transferring", "UseInAnIOSApp"])
  func `Each page about writing a log says when to close it`(page: String) throws {
    let text = try String(contentsOfFile: "\(Sample.root)/Sources/xferlog/xferlog.docc/\(page).md", encoding: .utf8)
    #expect(text.contains("close()"))
  }

  @Test
  func `An error in an example is reported`() throws {
    let example = ArticleExample(article: "none", line: 1, code: "import XferEvents\nlet level: Level = .loud\n")
    #expect(try example.diagnostics().contains("no member 'loud'"))
  }

  @Test
  func `Comments before a block join it, precede it with declarations, or leave it out`() {
    let text = """
      ```swift
      let a = 1
      ```
      <!-- continues -->
      ```swift
      print(a)
      ```
      ```swift
      let c = 3
      ```
      <!-- given
      let b = 2
      -->

      ```swift
      print(b)
      ```
      <!-- not compiled: an excerpt -->
      ```swift
      …
      ```
      """
    let examples = ArticleExample.examples(in: text, article: "text")
    #expect(examples.map(\.code) == ["let a = 1\nprint(a)\n", "let c = 3\n", "let b = 2\n\nprint(b)\n"])
    #expect(examples.map(\.line) == [1, 8, 15])
  }

  // MARK: The quick start

  @Test
  func `The quick start downloads the page, and its log replays as clean`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/page", ScriptedResponse(body: .generated(size: 1000)))])) { server in
      let directory = TemporaryDirectory()
      let environment = ["XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path]
      let run = try ToolRun("quick-start", [server.url("/page")], environment: environment, in: directory.path)
      #expect(run.status == 0, "\(run.standardError)")
      #expect(FileManager.default.contents(atPath: directory.path("page.html"))?.count == 1000)
      let replay = try ToolRun("xferlog", ["replay", "run.xlog"], in: directory.path)
      #expect(replay.status == 0)
      #expect(replay.lines.first?.hasSuffix(" events, 1 task (1 succeeded), 0 findings") == true, "\(replay.text)")
      #expect(replay.lines.last == "verdict: clean")
    }
  }

  @Test
  func `The quick start's article contains its source verbatim`() throws {
    let source = try String(contentsOfFile: "\(Sample.folder)/QuickStart/main.swift", encoding: .utf8)
    let article = try String(contentsOfFile: "\(Sample.root)/Sources/xferlog/xferlog.docc/QuickStart.md", encoding: .utf8)
    #expect(article.contains("```swift\n\(source)```\n"))
  }
}
