/// A least-recently-used cache of responses in memory.
struct MemoryCache {
  /// The capacity, in bytes.
  let capacity: Int
  private(set) var usage = 0
  private var entries: [CacheKey: Entry] = [:]
  private var clock: UInt64 = 0

  struct Entry {
    let response: StoredResponse
    /// The identity of the file with the same response. `nil` when the response is only in memory.
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

  /// Evicts the least recently used responses. Frees a tenth of the capacity in addition, so that the next store does not have
  /// to evict again.
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
