/// Stored responses in memory; those that were not used for longest go first.
struct MemoryCache {
  /// Bytes.
  let capacity: Int
  private(set) var usage = 0
  private var entries: [CacheKey: Entry] = [:]
  private var clock: UInt64 = 0

  struct Entry {
    let response: StoredResponse
    /// Of the file that has the same; `nil` when no file has it.
    let file: DiskCache.FileIdentity?
    fileprivate var used: UInt64
  }

  init(capacity: Int) { self.capacity = capacity }

  mutating func find(_ key: CacheKey) -> Entry? {
    clock += 1
    entries[key]?.used = clock
    return entries[key]
  }

  mutating func store(_ response: StoredResponse, for key: CacheKey, file: DiskCache.FileIdentity?) {
    remove(key)
    guard response.size <= capacity else { return }
    clock += 1
    entries[key] = Entry(response: response, file: file, used: clock)
    usage += response.size
    if usage > capacity { evict() }
  }

  /// A little more than needed, so that not every response has to look for room.
  private mutating func evict() {
    for (key, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) {
      guard usage > capacity - capacity / 10 else { return }
      entries[key] = nil
      usage -= entry.response.size
    }
  }

  @discardableResult
  mutating func remove(_ key: CacheKey) -> Bool {
    guard let entry = entries.removeValue(forKey: key) else { return false }
    usage -= entry.response.size
    return true
  }

  mutating func removeAll() { (entries, usage) = ([:], 0) }
}
