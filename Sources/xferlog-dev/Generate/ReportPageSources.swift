import Foundation
import XferCrypto

/// The Swift source with the script and the style of the HTML report, made of the modules in `Sources/XferReport/Report/Page`.
enum ReportPageSources {
  private static let page = "Sources/XferReport/Report/Page"

  /// The modules in the order of their dependencies.
  private static let modules = [
    "dom", "format", "inflate", "decode", "model", "query", "filter", "state", "canvas", "links", "markdown", "header",
    "comparison",
    "findings",
    "details", "tracks", "timeline", "sequence", "tasks", "requests", "log", "main",
  ]

  /// - Parameter root: the root of the checkout.
  static func file(root: String) throws -> GeneratedFile {
    let folder = URL(fileURLWithPath: root).appendingPathComponent(page)
    func text(_ name: String) throws -> String { try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) }
    let script = try bundle(modules.map { try text("\($0).js") })
    let style = try text("page.css")
    return GeneratedFile(
      path: "Sources/XferReport/Report/ReportPage+Generated.swift",
      text: """
        // swift-format-ignore-file
        // Generated from \(page) by `xferlog-dev generate`; changes made here are lost.

        extension ReportPage {
          static let scriptHash = "\(hash(script))"
          static let styleHash = "\(hash(style))"

          static let script = ####\"\"\"
        \(script)
        \"\"\"####

          static let style = ####\"\"\"
        \(style)
        \"\"\"####
        }

        """)
  }

  /// Joins modules to one script: without their imports and the word `export`, in a function of their own.
  private static func bundle(_ modules: [String]) -> String {
    let lines = modules.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: true)
    let kept = lines.filter { !$0.hasPrefix("import ") && $0 != "// @ts-check" && !$0.allSatisfy { $0 == " " } }
      .map { $0.hasPrefix("export ") ? String($0.dropFirst("export ".count)) : String($0) }
    return "'use strict';\n(() => {\n" + kept.joined(separator: "\n") + "\n})();"
  }

  /// The hash of a text as a content security policy names it.
  private static func hash(_ text: String) -> String {
    Data(MessageDigest.hash(data: Array(text.utf8), .sha256)).base64EncodedString()
  }
}
