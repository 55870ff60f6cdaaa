internal import CXferPlatform
public import HTTPTypes
internal import Synchronization
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferSession {
  /// A cache for the responses of data tasks, in memory and on disk. Corresponds to URLSession's `URLCache` and follows the
  /// rules of RFC 9111 for private caches.
  ///
  /// The cache keeps the latest response for each URL. Downloads and uploads neither read nor fill it, but every successful
  /// request with an unsafe method, such as an upload, removes the response stored for its URL. Cache files are readable by
  /// the user only, contain no URLs, and are verified with a SHA-256 checksum. A file that fails the check is removed and
  /// treated as a miss.
  public final class ResponseCache: Sendable {
    /// The cache of all default sessions, in one directory per program below `${XDG_CACHE_HOME:-~/.cache}/xferlog/responses`.
    public static let shared = ResponseCache(
      memoryCapacity: 4 << 20, diskCapacity: 20 << 20, directory: CacheDirectory.standard)

    /// The capacity of the memory cache, in bytes.
    public let memoryCapacity: Int
    /// The capacity of the disk cache, in bytes. Each process that shares the directory may exceed it by an eighth.
    public let diskCapacity: Int
    private let disk: DiskCache?
    private let memory: Mutex<MemoryCache>

    /// - Parameters:
    ///   - memoryCapacity: the capacity of the memory cache, in bytes.
    ///   - diskCapacity: the capacity of the disk cache, in bytes. A response larger than a twentieth of the larger capacity
    ///     is not stored.
    ///   - directory: the directory of the disk cache, created for the first stored response; `nil` disables the disk cache.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: String? = nil) {
      self.memoryCapacity = max(0, memoryCapacity)
      self.diskCapacity = directory == nil ? 0 : max(0, diskCapacity)
      disk = directory.flatMap { diskCapacity > 0 ? DiskCache(directory: $0, capacity: diskCapacity) : nil }
      memory = Mutex(MemoryCache(capacity: self.memoryCapacity))
    }

    /// The maximum size of a stored body, in bytes.
    var largestBody: Int { max(memoryCapacity, diskCapacity) / 20 }
  }
}

extension TransferSession.ResponseCache {
  // MARK: Operations of the engine

  enum Found {
    case nothing
    /// The response's file was damaged and has been removed.
    case damaged
    case response(StoredResponse)
  }

  func find(_ key: CacheKey) -> Found {
    if let entry = memory.withLock({ $0.find(key) }) {
      // Another process may have replaced or removed the file since the response was loaded into memory. The response is used
      // only if the file is the same.
      if entry.file == nil || entry.file == disk?.identity(key) { return .response(entry.response) }
      memory.withLock { _ = $0.remove(key) }
    }
    switch disk?.find(key) {
    case .response(let response, let file):
      memory.withLock { $0.store(response, for: key, file: file) }
      return .response(response)
    case .damaged: return .damaged
    case .nothing, nil: return .nothing
    }
  }

  struct Storing {
    var isStored = false
    var eviction = DiskCache.Eviction()
  }

  func store(_ response: StoredResponse, for key: CacheKey, inMemoryOnly: Bool = false) -> Storing {
    guard response.body.count <= largestBody else {
      remove(key)
      return Storing()
    }
    if inMemoryOnly { _ = disk?.remove(key) }
    let stored = inMemoryOnly ? nil : disk?.store(response, for: key)
    // If the file could not be written, the file of an older response must not remain: it would be found instead.
    if stored == nil { _ = disk?.remove(key) }
    let isInMemory = memory.withLock { memory in
      memory.store(response, for: key, file: stored?.0)
      return memory.find(key) != nil
    }
    return Storing(isStored: stored != nil || isInMemory, eviction: stored?.1 ?? .init())
  }

  /// Removes the response of a key.
  ///
  /// - Returns: whether a response was stored.
  @discardableResult
  func remove(_ key: CacheKey) -> Bool {
    let wasInMemory = memory.withLock { $0.remove(key) }
    return disk?.remove(key) ?? false || wasInMemory
  }
}

extension TransferSession.ResponseCache {
  // MARK: Operations of the app

  /// The approximate size of the responses in memory, in bytes.
  public var currentMemoryUsage: Int { memory.withLock { $0.usage } }
  /// The size of the responses on disk, in bytes, including those of other processes that share the directory.
  public var currentDiskUsage: Int { disk?.usage ?? 0 }

  /// Returns the stored response for a request, whatever its age. `nil` when none is stored.
  ///
  /// Finds responses of sessions with the default server trust only.
  public func cachedResponse(for request: HTTPRequest) -> TransferSession.CachedResponse? {
    guard let (plan, key) = key(of: request), CacheRequest.applies(to: plan), case .response(let stored) = find(key) else {
      return nil
    }
    return .init(response: stored.response(urlText: plan.url.text, age: nil), data: stored.body, userInfo: stored.userInfo)
  }

  public func removeCachedResponse(for request: HTTPRequest) {
    if let (_, key) = key(of: request) { remove(key) }
  }

  public func removeAllCachedResponses() {
    memory.withLock { $0.removeAll() }
    disk?.removeAll()
  }

  private func key(of request: HTTPRequest) -> (RequestPlan, CacheKey)? {
    (try? RequestPlan(request, additional: [:])).map { ($0, CacheKey(urlText: $0.url.text, trust: "")) }
  }
}

/// The default location of cache directories.
enum CacheDirectory {
  /// The cache directory of this program. `nil` when no home directory or program name can be determined.
  static var standard: String? {
    var program = [CChar](repeating: 0, count: 4096)
    let base = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
    guard let base, xp_executable_path(&program, program.count) == 0 else { return nil }
    let path = String(decoding: program.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.fileName.map { "\(base)/xferlog/responses/\($0)" }
  }

  /// Returns the environment variable's value if it is an absolute path, otherwise `nil`: the XDG specification forbids other
  /// paths.
  private static func variable(_ name: String) -> String? {
    xp_variable(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
