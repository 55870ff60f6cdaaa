import Foundation

/// The SQL of the index as Swift source. The program is built with the Swift source; dashboards use the original SQL files.
enum IndexSources {
  static func file(root: String) throws -> GeneratedFile {
    func sql(_ name: String) throws -> String {
      let url = URL(fileURLWithPath: root).appendingPathComponent("Dashboards/sqlite/\(name).sql")
      return try String(contentsOf: url, encoding: .utf8)
    }
    return GeneratedFile(
      path: "Sources/XferIndex/Generated/IndexSQL+Generated.swift",
      text: try """
      // swift-format-ignore-file
      // Generated from Dashboards/sqlite by `xferlog-dev generate`; changes made here are lost.

      /// The tables of an index, and the views on them.
      enum IndexSQL {
      \(constant("schema", sql("schema")))

      \(constant("views", sql("views")))
      }

      """)
  }

  private static func constant(_ name: String, _ sql: String) -> String {
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
    return "  static let \(name) = ##\"\"\"\n\(lines.joined(separator: "\n"))\n    \"\"\"##"
  }
}
