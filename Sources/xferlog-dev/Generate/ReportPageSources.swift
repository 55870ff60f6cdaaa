import Foundation
import XferCrypto
import XferReport

/// The Swift source with the script and the style of the HTML report, made of the modules in `Sources/XferReport/Report/Page`.
enum ReportPageSources {
  private static let page = "Sources/XferReport/Report/Page"

  /// The modules that both kinds of page have, in the order of their dependencies.
  private static let modules = [
    "dom", "format", "inflate", "decode", "model", "pattern", "times", "query", "filter", "state", "renewal", "canvas", "links",
    "markdown", "header",
    "comparison", "findings", "details", "tracks", "timeline", "sequence", "tasks", "requests", "log", "page",
  ]

  /// - Parameter root: the root of the checkout.
  static func file(root: String) throws -> GeneratedFile {
    let folder = URL(fileURLWithPath: root).appendingPathComponent(page)
    func text(_ name: String) throws -> String { try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) }
    let common = try joined(modules.map { try text("\($0).js") })
    let (file, live) = (try joined([text("main.js")]), try joined([text("live.js")]))
    let style = try text("page.css")
    return GeneratedFile(
      path: "Sources/XferReport/Report/ReportPage+Generated.swift",
      text: """
        // swift-format-ignore-file
        // Generated from \(page) by `xferlog-dev generate`; changes made here are lost.

        extension ReportPage {
          /// The hash of the script of a report file.
          static let scriptHash = "\(hash(ReportPage.script(common, file)))"
          /// The hash of the script of a page that `xferlog serve` shows.
          static let liveScriptHash = "\(hash(ReportPage.script(common, live)))"
          static let styleHash = "\(hash(style))"

          /// The modules that both kinds of page have.
          static let modules = ####\"\"\"
        \(common)
        \"\"\"####

          /// The module that shows the data in a report file.
          static let fileModule = ####\"\"\"
        \(file)
        \"\"\"####

          /// The module that shows the data that `xferlog serve` sends.
          static let liveModule = ####\"\"\"
        \(live)
        \"\"\"####

          static let style = ####\"\"\"
        \(style)
        \"\"\"####
        }

        """)
  }

  /// Joins modules to one text, without their imports and the word `export`.
  private static func joined(_ modules: [String]) -> String {
    let lines = modules.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: true)
    let kept = lines.filter { !$0.hasPrefix("import ") && $0 != "// @ts-check" && !$0.allSatisfy { $0 == " " } }
      .map { $0.hasPrefix("export ") ? String($0.dropFirst("export ".count)) : String($0) }
    return kept.joined(separator: "\n")
  }

  /// The hash of a text as a content security policy names it.
  private static func hash(_ text: String) -> String {
    Data(MessageDigest.hash(data: Array(text.utf8), .sha256)).base64EncodedString()
  }
}
