internal import CXferPlatform
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

/// A cache of responses in the files of one directory, which several processes may share.
///
/// Files are replaced atomically and used only if their checksums match. There are no locks: the last writer wins, and a
/// missing file is a miss.
final class DiskCache: Sendable {
  /// The capacity, in bytes.
  let capacity: Int
  private let directory: String
  private let state = Mutex(State())

  private struct State {
    /// Whether the directory exists and only this user has access. `nil` before the first check.
    var isUsable: Bool?
    /// The total size of the files at the last listing, and the size that this process has added since (`added`), in bytes.
    var counted = 0
    var added = 0
    var lastName: UInt64 = 0

    mutating func nextName() -> UInt64 {
      lastName += 1
      return lastName
    }
  }

  /// The identity of a file's content. Differs if the file was replaced or modified.
  struct FileIdentity: Equatable, Sendable {
    let inode: UInt64
    let modified: Int64
    let size: Int64
  }

  enum Found {
    case nothing
    case damaged
    case response(StoredResponse, FileIdentity)
  }

  /// The number and the size in bytes of the files that were evicted.
  struct Eviction: Equatable, Sendable {
    var count = 0
    var size = 0
  }

  init(directory: String, capacity: Int) {
    self.directory = directory
    self.capacity = capacity
  }

  private static let suffix = ".response"
  /// The name prefix of files that are being written.
  private static let unfinishedPrefix = "passing-"
  /// The age at which an unfinished file counts as abandoned, in seconds.
  private static let abandonedAge = 3600
  /// The minimum time between two updates of a file's access time, in seconds.
  private static let accessUpdateInterval = 60

  private func path(_ key: CacheKey) -> String { "\(directory)/\(key.name)\(Self.suffix)" }

  // MARK: One response

  func find(_ key: CacheKey) -> Found {
    let descriptor = xp_open(path(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return .nothing }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_size <= capacity, let bytes = Self.read(descriptor, Int(status.st_size)),
      let response = StoredResponse(bytes, for: key)
    else {
      unlink(path(key))
      return .damaged
    }
    updateAccessTime(key, status)
    return .response(response, Self.identity(status))
  }

  /// Returns the identity of the key's file. `nil` when there is no file.
  func identity(_ key: CacheKey) -> FileIdentity? {
    var status = stat()
    guard lstat(path(key), &status) == 0 else { return nil }
    updateAccessTime(key, status)
    return Self.identity(status)
  }

  /// Stores a response and evicts other responses if the capacity is exceeded. Returns the new file's identity and the evictions.
  /// `nil` when the response could not be stored.
  func store(_ response: StoredResponse, for key: CacheKey) -> (FileIdentity, Eviction)? {
    guard isUsable() else { return nil }
    let bytes = response.bytes(for: key)
    guard bytes.count <= capacity else { return nil }
    let unfinished = "\(directory)/\(Self.unfinishedPrefix)\(getpid())-\(state.withLock { $0.nextName() })"
    guard let identity = Self.write(bytes, to: unfinished), rename(unfinished, path(key)) == 0 else {
      unlink(unfinished)
      // The directory may have been removed, so the next store checks it again.
      state.withLock { $0.isUsable = nil }
      return nil
    }
    return (identity, makeRoom(bytes.count))
  }

  func remove(_ key: CacheKey) -> Bool { unlink(path(key)) == 0 }

  private static func identity(_ status: stat) -> FileIdentity {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return FileIdentity(
      inode: UInt64(status.st_ino),
      modified: Int64(time.tv_sec).multipliedClamped(by: 1_000_000_000).addingClamped(Int64(time.tv_nsec)),
      size: Int64(status.st_size))
  }

  private static func read(_ descriptor: Int32, _ count: Int) -> Data? {
    var bytes = Data(count: count)
    let isWhole = bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while offset < count {
        let got = Self.systemRead(descriptor, buffer.baseAddress! + offset, count - offset)
        if got < 0, errno == EINTR { continue }
        if got <= 0 { return false }
        offset += got
      }
      return true
    }
    return isWhole ? bytes : nil
  }

  // The system's functions under other names, because this type's own `read` and `write` hide them.
  #if canImport(Darwin)
    private static let systemRead = Darwin.read
    private static let systemWrite = Darwin.write
  #else
    private static let systemRead = Glibc.read
    private static let systemWrite = Glibc.write
  #endif

  private static func write(_ bytes: Data, to path: String) -> FileIdentity? {
    let descriptor = xp_open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    let isWritten = bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let written = systemWrite(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        if written < 0, errno == EINTR { continue }
        if written <= 0 { return false }
        offset += written
      }
      return true
    }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    return close(descriptor) == 0 && isWritten && isKnown ? identity(status) : nil
  }

  // MARK: Directory

  /// Creates and checks the directory on first use.
  private func isUsable() -> Bool {
    state.withLock { state in
      if let known = state.isUsable { return known }
      let isUsable = Self.prepare(directory)
      state.isUsable = isUsable
      if isUsable { state.counted = list().reduce(0) { $0 + $1.size } }
      return isUsable
    }
  }

  /// Creates the directory and makes it accessible to this user only.
  private static func prepare(_ path: String) -> Bool {
    var parent = ""
    for part in path.split(separator: "/") {
      parent += "/\(part)"
      mkdir(parent, 0o700)
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return false }
    return status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
  }

  private struct File {
    let path: String
    let size: Int
    /// The time of the last access, in nanoseconds since 1970.
    let used: Int64
  }

  /// Lists the stored responses and removes abandoned unfinished files.
  private func list() -> [File] {
    guard let entries = opendir(directory) else { return [] }
    defer { closedir(entries) }
    var files: [File] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let (path, isUnfinished) = ("\(directory)/\(name)", name.hasPrefix(Self.unfinishedPrefix))
      guard isUnfinished || name.hasSuffix(Self.suffix) else { continue }
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if isUnfinished {
        if Self.seconds(since: status.modifiedSeconds) > Self.abandonedAge { unlink(path) }
      } else {
        files.append(File(path: path, size: Int(status.st_size), used: status.usedNanoseconds))
      }
    }
    return files
  }

  private static func seconds(since time: Int) -> Int {
    Int(Int64(xp_clock_wall() / 1_000_000_000).subtractingClamped(Int64(time)))
  }

  /// Lists the files and evicts responses if the capacity is exceeded.
  ///
  /// The files are not listed until this process has added an eighth of the capacity since the last listing, or until
  /// `counted + added` exceeds the capacity.
  ///
  /// - Returns: the evicted files, which are the least recently used ones.
  private func makeRoom(_ size: Int) -> Eviction {
    state.withLock { state in
      state.added += size
      guard state.counted + state.added > capacity || state.added > capacity / 8 else { return Eviction() }
      let (left, eviction) = evict(list().sorted { $0.used < $1.used })
      (state.counted, state.added) = (left, 0)
      return eviction
    }
  }

  private func evict(_ files: [File]) -> (left: Int, Eviction) {
    var left = Self.total(files)
    var eviction = Eviction()
    guard left > capacity else { return (left, eviction) }
    // A tenth of the capacity is freed in addition, so that the next store does not have to evict again.
    for file in files {
      guard left > capacity - capacity / 10 else { break }
      unlink(file.path)
      left -= file.size
      eviction.count += 1
      eviction.size += file.size
    }
    return (left, eviction)
  }

  /// The size of all stored files, in bytes.
  var usage: Int { Self.total(list()) }

  /// Returns the total size. Uses saturating arithmetic, because a sparse file may have any size.
  private static func total(_ files: [File]) -> Int { Int(files.reduce(Int64(0)) { $0.addingClamped(Int64($1.size)) }) }

  func removeAll() {
    for file in list() { unlink(file.path) }
    state.withLock { ($0.counted, $0.added) = (0, 0) }
  }

  /// Updates the file's access time, which decides the order of eviction. Most file systems do not update the access time on
  /// every read.
  private func updateAccessTime(_ key: CacheKey, _ status: stat) {
    guard Self.seconds(since: Int(status.usedNanoseconds / 1_000_000_000)) > Self.accessUpdateInterval else { return }
    var times = [timespec(tv_sec: 0, tv_nsec: Self.now), timespec(tv_sec: 0, tv_nsec: Self.omit)]
    utimensat(AT_FDCWD, path(key), &times, AT_SYMLINK_NOFOLLOW)
  }

  // The values of `UTIME_NOW` and `UTIME_OMIT`, which Swift does not import.
  #if canImport(Darwin)
    private static let (now, omit) = (-1, -2)
  #else
    private static let (now, omit) = ((1 << 30) - 1, (1 << 30) - 2)
  #endif
}

extension stat {
  #if canImport(Darwin)
    fileprivate var modifiedSeconds: Int { st_mtimespec.tv_sec }
    fileprivate var usedNanoseconds: Int64 {
      Int64(st_atimespec.tv_sec).multipliedClamped(by: 1_000_000_000).addingClamped(Int64(st_atimespec.tv_nsec))
    }
  #else
    fileprivate var modifiedSeconds: Int { st_mtim.tv_sec }
    fileprivate var usedNanoseconds: Int64 {
      Int64(st_atim.tv_sec).multipliedClamped(by: 1_000_000_000).addingClamped(Int64(st_atim.tv_nsec))
    }
  #endif
}
