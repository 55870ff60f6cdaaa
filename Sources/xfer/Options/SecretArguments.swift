/// The secret bytes of a command line: values of options with credentials or data, and the user, password and query of URLs.
struct SecretArguments: Equatable {
  struct Place: Equatable {
    /// The index of the argument, from 0.
    let word: Int
    /// The range of secret bytes in the argument's UTF-8.
    let bytes: Range<Int>
  }

  private(set) var places: [Place] = []

  /// - Parameter words: The arguments after the subcommand, parsed as `OptionScanner` does.
  init(_ verb: Verb, _ words: [String]) {
    let table = OptionTable(verb)
    var place = 0
    var endsOptions = false
    while place < words.count {
      defer { place += 1 }
      let word = words[place]
      if endsOptions || !word.hasPrefix("-") || word == "-" {
        add(.url, place, word, from: 0)
      } else if word == "--" {
        endsOptions = true
      } else if word.hasPrefix("--") {
        let name = word.dropFirst(2).prefix { $0 != "=" }
        guard let option = table[String(name)], option.value != nil else { continue }
        if name.utf8.count + 2 < word.utf8.count {
          add(option.exposure, place, word, from: name.utf8.count + 3)
        } else if place + 1 < words.count {
          place += 1
          add(option.exposure, place, words[place], from: 0)
        }
      } else {
        place = addLetters(of: words, at: place, table)
      }
    }
  }

  /// - Returns: The index of the last argument that belongs to the group of short options.
  private mutating func addLetters(of words: [String], at place: Int, _ table: OptionTable) -> Int {
    let word = words[place]
    for index in word.indices.dropFirst() {
      guard let option = table[word[index]] else { return place }
      if option.value == nil { continue }
      let rest = word.index(after: index)
      if rest < word.endIndex {
        add(option.exposure, place, word, from: word.utf8.distance(from: word.startIndex, to: rest))
        return place
      }
      if place + 1 < words.count { add(option.exposure, place + 1, words[place + 1], from: 0) }
      return place + 1
    }
    return place
  }

  private mutating func add(_ exposure: OptionSpec.Exposure, _ word: Int, _ text: String, from start: Int) {
    let bytes = Array(text.utf8)
    switch exposure {
    case .open: break
    case .secret: add(word, start..<bytes.count)
    case .url:
      let value = bytes[min(start, bytes.count)...]
      let query = value.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
      // An unescaped password may contain the characters that end a URL's authority, so search for the last `@`.
      if let at = value[..<query].lastIndex(of: UInt8(ascii: "@")), at > value.startIndex {
        let scheme = Array("://".utf8)
        let begin = value.indices.first { value[$0...].starts(with: scheme) }.map { $0 + scheme.count } ?? value.startIndex
        add(word, begin..<max(begin, at))
      }
      add(word, min(query + 1, bytes.count)..<bytes.count)
    }
  }

  private mutating func add(_ word: Int, _ bytes: Range<Int>) {
    if !bytes.isEmpty { places.append(Place(word: word, bytes: bytes)) }
  }
}

extension SecretArguments {
  /// Overwrites the secrets in the process's argument list, where `ps` and `/proc` show them. Copy the arguments first.
  ///
  /// - Parameter words: All arguments, starting with the program's name.
  static func hide(_ words: [String]) {
    guard words.count > 2, let verb = Verb(rawValue: words[1]) else { return }
    for place in SecretArguments(verb, Array(words.dropFirst(2))).places {
      let number = place.word + 2
      guard number < Int(CommandLine.argc), let word = CommandLine.unsafeArgv[number] else { continue }
      for byte in place.bytes where word[byte] != 0 { word[byte] = CChar(bitPattern: UInt8(ascii: "*")) }
    }
  }
}
