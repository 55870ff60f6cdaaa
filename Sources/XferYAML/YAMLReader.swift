/// A YAML reader that returns a tree in which every value has its place in the file.
///
/// The tree is made from the parser's events, so that reading stops at the maximum depth. libyaml reads a document completely, in a time
/// that grows with the square of the number of nested brackets: 40,000 of them take 10 s.
package struct YAMLReader: ~Copyable {
  /// The maximum depth of a value.
  private static let depthLimit = 24
  /// The maximum number of values in a file. A value that is repeated by reference counts each time.
  private static let nodeLimit = 200_000

  /// A value and the size of its tree.
  private struct Tree {
    let node: YAMLNode
    /// The number of levels below the value.
    var height = 0
    /// The number of values, including the value itself.
    var count = 1
  }

  private var events: YAMLEvents
  /// The complete values that have an anchor, by the anchor's name.
  private var anchored: [String: Tree] = [:]
  /// The places in the file of the values that have an anchor and are still being read, by the anchor's name. An alias to such a
  /// value is an error.
  private var incomplete: [String: SourcePlace] = [:]
  private var count = 0

  /// Reads the only document of a file.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents, in UTF-8 or UTF-16.
  ///   - file: the file's name, for places.
  package static func read(_ bytes: some Collection<UInt8>, file: String) throws(YAMLError) -> YAMLNode {
    var reader = YAMLReader(events: YAMLEvents(Array(bytes), file: file))
    return try reader.document()
  }

  private init(events: consuming YAMLEvents) { self.events = events }

  private mutating func document() throws(YAMLError) -> YAMLNode {
    guard let first = try events.next() else {
      throw YAMLError(problem: .empty, place: SourcePlace(file: events.file, line: 1, column: 1))
    }
    let tree = try value(first, depth: 0)
    if let second = try events.next() { throw YAMLError(problem: .secondDocument, place: second.place) }
    return tree.node
  }

  private mutating func value(_ event: YAMLEvents.Event, depth: Int) throws(YAMLError) -> Tree {
    switch event.content {
    case .scalar(let text, let isPlain):
      try begin(event, depth: depth)
      return finish(event, Tree(node: YAMLNode(content: .scalar(text, isPlain: isPlain), place: event.place)))
    case .list:
      try begin(event, depth: depth)
      return finish(event, try list(at: event.place, depth: depth))
    case .mapping:
      try begin(event, depth: depth)
      return finish(event, try mapping(at: event.place, depth: depth))
    case .alias(let name): return try repeated(name, at: event.place, depth: depth)
    case .end: throw YAMLError(problem: .invalid("a value is missing"), place: event.place)
    }
  }

  private mutating func begin(_ event: YAMLEvents.Event, depth: Int) throws(YAMLError) {
    try admit(1, height: 0, depth: depth, at: event.place)
    guard let name = event.anchor else { return }
    guard anchored[name] == nil, incomplete.updateValue(event.place, forKey: name) == nil else {
      throw YAMLError(problem: .invalid("found duplicate anchor"), place: event.place)
    }
  }

  private mutating func finish(_ event: YAMLEvents.Event, _ tree: Tree) -> Tree {
    guard let name = event.anchor else { return tree }
    incomplete[name] = nil
    anchored[name] = tree
    return tree
  }

  private mutating func list(at place: SourcePlace, depth: Int) throws(YAMLError) -> Tree {
    var (members, height, count) = ([YAMLNode](), 0, 1)
    while let event = try events.next(), event.content != .end {
      let member = try value(event, depth: depth + 1)
      members.append(member.node)
      height = max(height, member.height + 1)
      count += member.count
    }
    return Tree(node: YAMLNode(content: .list(members), place: place), height: height, count: count)
  }

  private mutating func mapping(at place: SourcePlace, depth: Int) throws(YAMLError) -> Tree {
    var (pairs, height, count) = ([(key: YAMLNode, value: YAMLNode)](), 0, 1)
    var lines: [String: Int] = [:]
    while let event = try events.next(), event.content != .end {
      let key = try self.value(event, depth: depth + 1)
      if let name = key.node.scalar, let first = lines.updateValue(key.node.place.line, forKey: name) {
        throw YAMLError(problem: .duplicateKey(name, firstLine: first), place: key.node.place)
      }
      // The parser adds an empty value to a key without one.
      guard let event = try events.next() else { break }
      let value = try self.value(event, depth: depth + 1)
      pairs.append((key.node, value.node))
      height = max(height, key.height + 1, value.height + 1)
      count += key.count + value.count
    }
    return Tree(node: YAMLNode(content: .mapping(pairs), place: place), height: height, count: count)
  }

  /// Returns the value that a reference repeats.
  private mutating func repeated(_ name: String, at place: SourcePlace, depth: Int) throws(YAMLError) -> Tree {
    if let place = incomplete[name] { throw YAMLError(problem: .tooDeep, place: place) }
    guard let tree = anchored[name] else { throw YAMLError(problem: .invalid("found undefined alias"), place: place) }
    try admit(tree.count, height: tree.height, depth: depth, at: tree.node.place)
    return tree
  }

  /// Counts values, and throws if they exceed a limit.
  private mutating func admit(_ added: Int, height: Int, depth: Int, at place: SourcePlace) throws(YAMLError) {
    count += added
    guard depth + height <= Self.depthLimit else { throw YAMLError(problem: .tooDeep, place: place) }
    guard count <= Self.nodeLimit else { throw YAMLError(problem: .tooManyValues, place: place) }
  }
}
