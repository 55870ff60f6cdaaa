import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferScript

@testable import XferEngine

/// Tests of stored responses on disk.
struct CacheStorageTests {
  private let directory = TemporaryDirectory()

  private func cache(memory: Int = 0, disk: Int = 1 << 20) -> TransferSession.ResponseCache {
    .init(memoryCapacity: memory, diskCapacity: disk, directory: directory.path("cache/responses"))
  }

  private func key(_ number: Int) -> CacheKey { CacheKey(urlText: "http://example.com/secret/\(number)", trust: "") }

  private func response(_ body: [UInt8], tag: String = "1") -> StoredResponse {
    let head = StoredHead(
      status: 200, reason: "OK", protocolName: "http/1.1", fields: [.eTag: "\"\(tag)\"", .contentType: "text/plain"],
      requestTime: 1, responseTime: 2, selection: [.init(name: ":identity", digest: "-")], isDecoded: false)
    return StoredResponse(head: head, body: Data(body), userInfo: ["a": "b"])
  }

  private func found(_ cache: TransferSession.ResponseCache, _ key: CacheKey) -> StoredResponse? {
    if case .response(let response) = cache.find(key) { response } else { nil }
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path("cache/responses"))) ?? []).sorted().map {
      directory.path("cache/responses/\($0)")
    }
  }

  @Test(arguments: [0, 1, 1000, 40_000])
  func `A stored response is found by the same and by another cache object`(size: Int) throws {
    let stored = response(ScriptBody.bytes(seed: 1, size: size))
    #expect(cache().store(stored, for: key(1)).isStored)
    #expect(found(cache(), key(1)) == stored)
    #expect(found(cache(), key(2)) == nil)
  }

  @Test func `Cache files are private to their owner and do not contain the URL`() throws {
    #expect(cache().store(response([1, 2, 3]), for: key(1)).isStored)
    let path = try #require(files.first)
    for (path, mode) in [(path, 0o600), (directory.path("cache/responses"), 0o700)] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(found == mode)
    }
    let bytes = try #require(FileManager.default.contents(atPath: path))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    #expect(!path.contains("secret"))
  }

  @Test func `An existing cache directory is made private to its owner`() throws {
    let path = directory.path("cache/responses")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    #expect(cache().store(response([1]), for: key(1)).isStored)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
  }

  @Test func `A cache file with a changed byte or missing end is a miss`() throws {
    let stored = response(ScriptBody.bytes(seed: 2, size: 200))
    #expect(cache().store(stored, for: key(1)).isStored)
    let path = try #require(files.first)
    let whole = try #require(FileManager.default.contents(atPath: path))
    for place in whole.indices {
      for damaged in [whole.flipped(at: place), whole.prefix(place)] {
        try damaged.write(to: URL(fileURLWithPath: path))
        guard case .damaged = cache().find(key(1)) else {
          Issue.record("damage at byte \(place) of \(whole.count) was not detected")
          return
        }
        #expect(files.isEmpty, "a damaged file is removed")
      }
    }
    try (whole + [0]).write(to: URL(fileURLWithPath: path))
    #expect(found(cache(), key(1)) == nil)
  }

  @Test func `A renamed cache file, a symbolic link or a directory is not used`() throws {
    #expect(cache().store(response([1]), for: key(1)).isStored)
    let path = try #require(files.first)
    let other = directory.path("cache/responses/\(key(2).name).response")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(found(cache(), key(2)) == nil)
    try FileManager.default.moveItem(atPath: path, toPath: directory.path("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path("elsewhere"))
    #expect(found(cache(), key(1)) == nil)
    #expect(cache().store(response([2]), for: key(1)).isStored)
    #expect(found(cache(), key(1))?.body == Data([2]))
  }

  @Test func `A partial cache file of a killed process is not used and is removed later`() throws {
    #expect(cache().store(response([1]), for: key(1)).isStored)
    let whole = try #require(FileManager.default.contents(atPath: files[0]))
    let (old, young) = (directory.path("cache/responses/passing-7-1"), directory.path("cache/responses/passing-7-2"))
    for path in [old, young] { try whole.prefix(50).write(to: URL(fileURLWithPath: path)) }
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -4000)], ofItemAtPath: old)
    #expect(cache().store(response([2]), for: key(2)).isStored)
    #expect(!files.contains(old))
    #expect(files.contains(young), "another process may still be writing the recent file")
    #expect(files.count == 3)
  }

  @Test func `The least recently used responses are evicted`() throws {
    let capacity = 100_000
    for memory in [0, capacity] {
      let cache = cache(memory: memory, disk: capacity)
      cache.removeAllCachedResponses()
      for number in 1...60 { #expect(cache.store(response(ScriptBody.bytes(seed: 1, size: 4000)), for: key(number)).isStored) }
      #expect(cache.currentDiskUsage <= capacity + capacity / 8)
      #expect(cache.currentMemoryUsage <= memory)
      #expect(found(cache, key(60)) != nil)
      #expect(found(cache, key(1)) == nil)
      #expect(files.count >= 15)
    }
  }

  @Test func `A response that is used regularly is not evicted despite its age`() throws {
    let cache = cache(disk: 100_000)
    #expect(cache.store(response([1]), for: key(0)).isStored)
    for number in 1...60 {
      // Sets the files' times of use to about an hour ago.
      for path in files { try setUsed(path, secondsAgo: 3600 + (60 - number)) }
      #expect(found(cache, key(0)) != nil)
      #expect(cache.store(response(ScriptBody.bytes(seed: 1, size: 4000)), for: key(number)).isStored)
    }
    #expect(found(cache, key(0)) != nil)
  }

  private func setUsed(_ path: String, secondsAgo: Int) throws {
    var times = [
      timespec(tv_sec: Int(Date().timeIntervalSince1970) - secondsAgo, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2),
    ]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }

  @Test func `A removed cache directory is created again`() throws {
    let cache = cache()
    #expect(cache.store(response([1]), for: key(1)).isStored)
    try FileManager.default.removeItem(atPath: directory.path("cache"))
    #expect(!cache.store(response([2]), for: key(1)).isStored)
    #expect(cache.store(response([3]), for: key(1)).isStored)
    #expect(found(cache, key(1))?.body == Data([3]))
  }

  @Test func `A response above a twentieth of the capacity is not stored, and removes its predecessor`() throws {
    let cache = cache(memory: 1 << 16, disk: 200_000)
    #expect(cache.store(response([1]), for: key(1)).isStored)
    #expect(!cache.store(response([UInt8](repeating: 0, count: 10_001)), for: key(1)).isStored)
    #expect(found(cache, key(1)) == nil)
    #expect(cache.store(response([UInt8](repeating: 0, count: 10_000)), for: key(1)).isStored)
  }

  @Test func `A change by another process is visible immediately`() throws {
    let (one, other) = (cache(memory: 1 << 20), cache(memory: 1 << 20))
    #expect(one.store(response([1]), for: key(1)).isStored)
    #expect(found(other, key(1))?.body == Data([1]))
    #expect(one.store(response([2], tag: "2"), for: key(1)).isStored)
    #expect(found(other, key(1))?.body == Data([2]))
    one.remove(key(1))
    #expect(found(other, key(1)) == nil)
  }

  @Test func `Concurrent readers get only complete responses`() async throws {
    let bodies = (0..<8).map { ScriptBody.bytes(seed: $0, size: 3000 + Int($0)) }
    let caches = (0..<4).map { _ in cache(memory: 1 << 16, disk: 200_000) }
    await withTaskGroup(of: Bool.self) { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for round in 0..<200 {
            let number = (round * 7 + index) % 5
            if round % 2 == 0 {
              _ = cache.store(response(bodies[(round + index) % 8]), for: key(number))
            } else {
              switch cache.find(key(number)) {
              case .response(let found): if !bodies.contains(Array(found.body)) { return false }
              // A response that is being stored is not visible.
              case .damaged: return false
              case .nothing: break
              }
            }
            if round % 31 == 0 { cache.remove(key(number)) }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(files.allSatisfy { $0.hasSuffix(".response") })
  }

  @Test(arguments: seeds(4, campaign: 100))
  func `A process that is killed while storing leaves only complete responses`(seed: UInt64) async throws {
    let route = ServerScript.Route(
      "/*", ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: .generated(size: 30_000, seed: .path)))
    try await ScriptedServer.serving(ServerScript([route])) { server in
      let path = directory.path("cache/responses")
      let writers = (0..<2).map { _ in ChildProcess("cache-writer-probe", [server.url(""), path]) }
      var generator = SeededGenerator(state: seed)
      let count = Int.random(in: 1...300, using: &generator)
      try await server.waitUntil { $0.count >= count }
      for writer in writers { writer.kill() }
      for writer in writers { #expect(writer.wait() == .signal(SIGKILL), "seed \(seed)") }
      let reader = cache()
      for number in 0..<20 {
        let key = CacheKey(urlText: server.url("/\(number)"), trust: "")
        switch reader.find(key) {
        case .response(let response):
          let expected = ScriptBody.bytes(seed: ScriptBody.seed(forPath: "/\(number)"), size: 30_000)
          #expect(Array(response.body) == expected, "seed \(seed)")
        case .nothing: break
        case .damaged: Issue.record("a stored response is damaged, seed \(seed)")
        }
      }
    }
  }

  @Test func `A place where nothing can be stored is as good as none`() throws {
    let cache = TransferSession.ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: "/proc/nowhere")
    #expect(!cache.store(response([1]), for: key(1)).isStored)
    #expect(found(cache, key(1)) == nil)
    #expect(cache.currentDiskUsage == 0)
  }

  @Test func `An ephemeral session stores no responses on disk`() {
    #expect(TransferSession.Configuration.ephemeral.urlCache?.diskCapacity == 0)
    #expect(TransferSession.Configuration.default.urlCache === TransferSession.ResponseCache.shared)
  }
}

extension Data {
  fileprivate func flipped(at place: Int) -> Data {
    var copy = self
    copy[place] ^= 1
    return copy
  }
}
