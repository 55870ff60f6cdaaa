import Foundation
import Testing

/// Tests that every expression that can trap is listed with a proof that no outside value makes it trap.
struct TrapReviewTests {
  /// The targets that read files, messages or the network. Their integer conversions are listed, too.
  private static let readers = ["XferLogStore", "XferSQLite", "XferEngine", "XferService", "xferd"]

  /// Preconditions, forced unwrapping and `try!`.
  nonisolated(unsafe) private static let trap = /\b(?:precondition|preconditionFailure|fatalError)\s*\(|\btry!|[\w\)\]]!(?![=\w])/
  /// An integer conversion that traps if the value does not fit. Literals and constants in capitals are excluded.
  nonisolated(unsafe) private static let conversion =
    /\bU?Int(?:8|16|32|64)?\((?!clamping:|exactly:|truncatingIfNeeded:|truncating:|bitPattern:|littleEndian:|bigEndian:|ascii:|\s*\)|-?\d|[A-Z_0-9]+\))/

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private struct Line: Hashable, Comparable, CustomStringConvertible {
    let file: String
    let text: String
    var description: String { "\(file): \(text)" }
    static func < (left: Line, right: Line) -> Bool { (left.file, left.text) < (right.file, right.text) }
  }

  @Test func `Every expression that can trap is listed with its proof`() throws {
    let (found, listed) = (try Self.found(), try Self.listed())
    #expect(found.count > 500)
    for line in found.subtracting(listed).sorted() {
      Issue.record("not in TrapReview.txt, with a proof that nothing from outside reaches it: \(line)")
    }
    for line in listed.subtracting(found).sorted() { Issue.record("in TrapReview.txt, and no longer in the sources: \(line)") }
  }

  private static func found() throws -> Set<Line> {
    var found: Set<Line> = []
    let sources = package.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !file.lastPathComponent.contains("Generated") else { continue }
      let path = "Sources" + file.path.dropFirst(sources.path.count)
      let isReader = readers.contains { path.hasPrefix("Sources/\($0)/") }
      let text = try String(contentsOf: file, encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, code) in zip(lines, codeOnly(text).split(separator: "\n", omittingEmptySubsequences: false)) {
        if code.contains(trap) || isReader && code.contains(conversion) { found.insert(Line(file: path, text: compact(line))) }
      }
    }
    return found
  }

  /// Reads the list. An entry consists of a file, a line `because` with a proof, and the lines of code that the proof covers, each
  /// indented further than the one above.
  private static func listed() throws -> Set<Line> {
    let text = try String(contentsOf: package.appendingPathComponent("Tests/ArchitectureTests/TrapReview.txt"), encoding: .utf8)
    var listed: Set<Line> = []
    var (file, proof) = ("", "")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("    ") {
        #expect(proof.count > "  because ".count, "\(file) has lines without a proof")
        listed.insert(Line(file: file, text: compact(line)))
      } else if line.hasPrefix("  because ") {
        proof = String(line)
      } else {
        (file, proof) = (String(line), "")
      }
    }
    return listed
  }

  private static func compact(_ line: Substring) -> String {
    line.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
  }

  /// Returns the text with its comments and strings emptied and its line breaks kept.
  private static func codeOnly(_ text: String) -> String {
    var text = text.replacing(/"""[\s\S]*?"""/) { "\"" + String(repeating: "\n", count: $0.output.count { $0 == "\n" }) + "\"" }
    text = text.replacing(/"(?:\\\(.*?\)|\\\\|\\"|[^"\n\\]|\\[^(\\"])*"/, with: "\"\"")
    return text.replacing(/\/\/[^\n]*/, with: "")
  }
}
