/// The state that one thread needs to encode events into one segment: the privacy policy, and the symbols of recurring strings
/// and tasks.
///
/// Each lane (one thread of the writer) has its own context, so the checks for overlapping access are off. A symbol that is not
/// cached is looked up in `dictionary`, which the lanes of a segment share.
@usableFromInline
package final class EncodingContext {
  package let policy: PrivacyPolicy
  @exclusivity(unchecked) private var dictionary: any SymbolDictionary
  @exclusivity(unchecked) private var strings: [StringEntry]
  @exclusivity(unchecked) private var tasks: [TaskEntry]

  private struct StringEntry {
    var hash: UInt64 = 0
    var symbol: UInt32 = 0
    var count: UInt32 = 0
    var bytes: UnsafeRawPointer?
  }

  private struct TaskEntry {
    var uid = TaskUID(high: 0, low: 0)
    var symbol: UInt32 = 0
    var number: UInt32 = 0
  }

  private static let stringEntries = 256
  private static let taskEntries = 512

  package init(policy: PrivacyPolicy, dictionary: any SymbolDictionary) {
    self.policy = policy
    self.dictionary = dictionary
    strings = Array(repeating: StringEntry(), count: Self.stringEntries)
    tasks = Array(repeating: TaskEntry(), count: Self.taskEntries)
  }

  /// Removes all cached symbols, because the lane continues in another segment.
  package func reset(dictionary: any SymbolDictionary) {
    self.dictionary = dictionary
    for place in strings.indices { strings[place] = StringEntry() }
    for place in tasks.indices { tasks[place] = TaskEntry() }
  }

  /// Returns the symbol of a recurring string; `nil` if the dictionary has no room.
  @inline(__always)
  package func symbol(for bytes: UnsafeRawBufferPointer) -> UInt32? {
    let hash = Self.hash(bytes)
    let place = Int(truncatingIfNeeded: hash) & (Self.stringEntries - 1)
    let entry = strings[place]
    if entry.hash == hash, entry.count == bytes.count, let known = entry.bytes, Self.equal(known, bytes) {
      return entry.symbol
    }
    return define(bytes, hash: hash, at: place)
  }

  @inline(__always)
  package func symbol(for task: TaskIdentity) -> UInt32? {
    let place = Int(truncatingIfNeeded: task.uid.low) & (Self.taskEntries - 1)
    let entry = tasks[place]
    if entry.symbol != 0, entry.uid == task.uid, entry.number == task.number { return entry.symbol }
    return define(task, at: place)
  }

  @inline(never)
  private func define(_ bytes: UnsafeRawBufferPointer, hash: UInt64, at place: Int) -> UInt32? {
    guard let (symbol, stored) = dictionary.define(string: bytes) else { return nil }
    // The stored bytes of a truncated string differ from `bytes`, so the cache never matches it and the dictionary is asked every
    // time.
    strings[place] = .init(hash: hash, symbol: symbol, count: UInt32(stored.count), bytes: stored.baseAddress)
    return symbol
  }

  @inline(never)
  private func define(_ task: TaskIdentity, at place: Int) -> UInt32? {
    guard let symbol = dictionary.define(task: task) else { return nil }
    tasks[place] = .init(uid: task.uid, symbol: symbol, number: task.number)
    return symbol
  }

  /// A fast, unkeyed hash. It only selects a cache entry, whose bytes are then compared.
  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var hash = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
    guard let start = bytes.baseAddress, count >= 8 else { return mixed(hash ^ short(bytes)) }
    var offset = 0
    while offset < count - 8 {
      hash = (hash ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xff51_afd7_ed55_8ccd
      hash ^= hash >> 32
      offset += 8
    }
    // The last word overlaps the one before it, which is cheaper than a loop over the remaining bytes.
    return mixed(hash ^ start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash &* 0xc4ce_b9fe_1a85_ec53
    return product ^ product >> 29
  }

  /// Returns up to 7 bytes as one word.
  @inline(__always)
  private static func short(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var word: UInt64 = 0
    for byte in bytes { word = word << 8 | UInt64(byte) }
    return word
  }

  @inline(__always)
  private static func equal(_ left: UnsafeRawPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    let count = right.count
    guard let start = right.baseAddress, count >= 8 else {
      return right.indices.allSatisfy { left.load(fromByteOffset: $0, as: UInt8.self) == right[$0] }
    }
    var offset = 0
    while offset < count - 8 {
      if word(left, offset) != word(start, offset) { return false }
      offset += 8
    }
    return word(left, count - 8) == word(start, count - 8)
  }
}

/// Assigns symbols to recurring strings and tasks. A definition is written to the log before its symbol is returned.
package protocol SymbolDictionary: AnyObject {
  /// - Returns: the symbol and the string's stored bytes, which stay valid as long as the dictionary lives; `nil` if there is no
  ///   room.
  func define(string: UnsafeRawBufferPointer) -> (symbol: UInt32, stored: UnsafeRawBufferPointer)?
  func define(task: TaskIdentity) -> UInt32?
}
