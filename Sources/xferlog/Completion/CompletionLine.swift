import XferEvents
import XferLogStore

/// A command line that a shell asks to complete.
struct CompletionLine {
  /// The words without the shell's quotation marks.
  let words: [String]
  /// The index of the word at the cursor.
  let place: Int
  /// The part of the word before the cursor, without quotation marks.
  let prefix: String

  /// - Parameters:
  ///   - words: the words as typed.
  ///   - prefix: the part of the word before the cursor as the argument parser determines it. The parser takes it from the last word,
  ///     and in zsh the cursor's place is wrong within quotation marks. In these cases the whole word is used.
  init(words: [String], place: Int, prefix: String, shell: String?) {
    self.words = words.map(Self.unquoted)
    self.place = place
    let isKnown = place == words.count - 1 && shell != "zsh"
    self.prefix = Self.unquoted(isKnown || !words.indices.contains(place) ? prefix : words[place])
  }

  /// The inputs that the line names: all words that name an existing file or directory, except the command and the word at the cursor.
  /// Without any, the standard log.
  func logs(_ environment: [String: String]) -> [String] {
    let named = words.enumerated().dropFirst().compactMap { place, word -> String? in
      guard place != self.place, !word.isEmpty, !word.hasPrefix("-") else { return nil }
      let path = Self.expanded(word, environment)
      if case .nothing = LogRecognition(path: path) { return nil }
      return path
    }
    return named.isEmpty ? [LogDirectory.standard(environment: environment)] : named
  }

  /// The values of an option that are written as separate words.
  func values(of option: String) -> [String] {
    words.indices.dropLast().filter { words[$0] == option }.map { words[$0 + 1] }
  }

  /// Replaces a leading `~` with the home directory.
  static func expanded(_ path: String, _ environment: [String: String]) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
    return home + path.dropFirst()
  }

  /// Removes the quotation marks and backslashes of a shell word. The word may lack its closing quotation mark.
  static func unquoted(_ word: String) -> String {
    var text = ""
    var quote: Character?
    var isEscaped = false
    for letter in word {
      if isEscaped {
        text.append(letter)
        isEscaped = false
      } else if letter == "\\", quote != "'" {
        isEscaped = true
      } else if letter == quote {
        quote = nil
      } else if quote == nil, letter == "'" || letter == "\"" {
        quote = letter
      } else {
        text.append(letter)
      }
    }
    return text
  }
}
