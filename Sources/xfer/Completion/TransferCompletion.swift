import ArgumentParser
import Foundation
import XferReport

/// Completes the command lines of `get`, `put` and `request`, whose options the argument parser does not know.
enum TransferCompletion {
  static func kind(_ verb: Verb) -> CompletionKind {
    .custom { words, place, prefix in
      ShellCandidate.prepared(Self.candidates(verb, words, place, prefix), for: CompletionShell.requesting?.rawValue)
    }
  }

  static func candidates(_ verb: Verb, _ words: [String], _ place: Int, _ prefix: String) -> [String] {
    let table = OptionTable(verb)
    if words.indices.contains(place - 1), let option = option(words[place - 1], table), let value = option.value {
      return isPath(value) ? paths(prefix) : []
    }
    if prefix.hasPrefix("-") { return names(verb).filter { $0.hasPrefix(prefix) } }
    // The other words of `get` and `request` are URLs.
    return verb == .put ? paths(prefix) : []
  }

  private static func option(_ word: String, _ table: OptionTable) -> OptionSpec? {
    if word.hasPrefix("--") { return table[String(word.dropFirst(2))] }
    guard word.hasPrefix("-"), word.count == 2, let letter = word.last else { return nil }
    return table[letter]
  }

  private static func names(_ verb: Verb) -> [String] {
    let options = OptionTable.sections.flatMap(\.options).filter { $0.verbs.contains(verb) }
    return options.map { "--\($0.long)" } + options.filter(\.listsNegation).map { "--no-\($0.long)" } + ["--help"]
  }

  private static func isPath(_ placeholder: String) -> Bool {
    ["FILE", "DIR", "PATH"].contains { placeholder.uppercased().contains($0) }
  }

  /// Returns the files and directories whose path begins with a text. Hidden ones are omitted unless the text names them.
  private static func paths(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let beginning = prefix.dropFirst(folder.count)
    let expanded = folder.hasPrefix("~") ? NSString(string: folder).expandingTildeInPath : folder
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: expanded.isEmpty ? "." : expanded)) ?? []
    return entries.filter { $0.hasPrefix(beginning) && (beginning.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted().map { name in
      var isDirectory: ObjCBool = false
      let path = expanded.isEmpty ? name : expanded + "/" + name
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      return folder + name + (isDirectory.boolValue ? "/" : "")
    }
  }
}
