internal import CXferPlatform
public import HTTPTypes
internal import Synchronization

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
  /// Responses of data tasks that may be given again, in memory and on disk: URLSession's `URLCache`, with RFC 9111 as a cache that
  /// one user has.
  ///
  /// One response is kept for a URL, the last one. Downloads and uploads neither use it nor add to it, but an upload, like every
  /// request that changes something, takes out what was stored of its URL. Files are this user's alone, have no URLs, and prove
  /// their bytes by a SHA-256; one that does not is removed, and counts as if it had never been there.
  public final class ResponseCache: Sendable {
    /// That of all default sessions: in `${XDG_CACHE_HOME:-~/.cache}/xferlog/responses`, for each program by itself.
    public static let shared = ResponseCache(
      memoryCapacity: 4 << 20, diskCapacity: 20 << 20, directory: CacheDirectory.standard)

    /// Bytes.
    public let memoryCapacity: Int
    /// Bytes; processes that share a directory may pass it by an eighth each.
    public let diskCapacity: Int
    private let disk: DiskCache?
    private let memory: Mutex<MemoryCache>

    /// - Parameters:
    ///   - memoryCapacity: bytes; so is the next. A response of more than a twentieth of the larger one is not stored.
    ///   - directory: made when the first response is stored; `nil` keeps everything in memory.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: String? = nil) {
      self.memoryCapacity = max(0, memoryCapacity)
      self.diskCapacity = directory == nil ? 0 : max(0, diskCapacity)
      disk = directory.flatMap { diskCapacity > 0 ? DiskCache(directory: $0, capacity: diskCapacity) : nil }
      memory = Mutex(MemoryCache(capacity: self.memoryCapacity))
    }

    /// The largest body that is stored, in bytes.
    var largestBody: Int { max(memoryCapacity, diskCapacity) / 20 }
  }
}

extension TransferSession.ResponseCache {
  // MARK: Asked by the engine

  enum Found {
    case nothing
    /// There was a file, and it is removed.
    case damaged
    case response(StoredResponse)
  }

  func find(_ key: CacheKey) -> Found {
    if let entry = memory.withLock({ $0.find(key) }) {
      // Another process may have stored another one since, or have removed it.
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
    // What the disk did not take is not to be replaced by what it had before.
    if stored == nil { _ = disk?.remove(key) }
    let isInMemory = memory.withLock { memory in
      memory.store(response, for: key, file: stored?.0)
      return memory.find(key) != nil
    }
    return Storing(isStored: stored != nil || isInMemory, eviction: stored?.1 ?? .init())
  }

  /// - Returns: whether there was anything.
  @discardableResult
  func remove(_ key: CacheKey) -> Bool {
    let wasInMemory = memory.withLock { $0.remove(key) }
    return disk?.remove(key) ?? false || wasInMemory
  }
}

extension TransferSession.ResponseCache {
  // MARK: Asked by the app

  /// Bytes, about.
  public var currentMemoryUsage: Int { memory.withLock { $0.usage } }
  /// Bytes, of all processes that share the directory.
  public var currentDiskUsage: Int { disk?.usage ?? 0 }

  /// What is stored for a request of a session with the system's authorities, whatever its age; `nil` when there is nothing.
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

/// Where caches lie.
enum CacheDirectory {
  /// `nil` when this user has no home, or the program no name.
  static var standard: String? {
    var program = [CChar](repeating: 0, count: 4096)
    let base = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
    guard let base, xp_executable_path(&program, program.count) == 0 else { return nil }
    let path = String(decoding: program.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").last.map { "\(base)/xferlog/responses/\($0)" }
  }

  /// A path that is not absolute is not to be used (XDG Base Directory Specification).
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
