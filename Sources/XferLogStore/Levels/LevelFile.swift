import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The contents of a log's file `levels`, which says what its writers log in addition to the events that are always logged.
///
/// The file is never edited in place, only replaced. Writers map it and poll one word, which says that the file was
/// replaced.
struct LevelFile: Equatable {
  /// The number of changes so far.
  var generation: UInt64 = 0
  var rules = LevelRules()

  static let name = "levels"
  /// The magic number of a file of levels: "XFERLVL" followed by the version as one byte, read as a little-endian word.
  static let magic: UInt64 = 0x014C_564C_5245_4658
  static let version: UInt16 = 1
  static let headerSize = 40
  /// The offset of a word that becomes 1 when the file has been, or is about to be, replaced. The checksum excludes this
  /// word.
  static let superseded = 32
  private static let checksumOffset = 36
  /// The maximum file size in bytes, far above any realistic set of rules.
  private static let sizeLimit = 1 << 20

  static func path(in directory: String) -> String { "\(directory)/\(name)" }

  func encoded() -> [UInt8] {
    let names = rules.rules.map { ($0.pattern.subsystem ?? LevelPattern.any, $0.pattern.category ?? LevelPattern.any) }
    let size = Self.headerSize + names.reduce(0) { $0 + 6 + $1.0.utf8.count + $1.1.utf8.count }
    var bytes = [UInt8](repeating: 0, count: size)
    bytes.withUnsafeMutableBytes { bytes in
      var header = FixedWriter(bytes)
      header.put(Self.magic)
      header.put(Self.version)
      header.put(UInt16(Self.headerSize))
      header.put(UInt32(names.count))
      header.put(generation)
      header.put(UInt32(size))
      var body = FixedWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[Self.headerSize...]))
      for (rule, name) in zip(rules.rules, names) {
        body.put(UInt16(rule.level.rawValue))
        body.put(name.0)
        body.put(name.1)
      }
      let checksum = Self.checksum(UnsafeRawBufferPointer(bytes))
      bytes.storeBytes(of: checksum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
    }
    return bytes
  }

  /// Returns the checksum of all bytes except the `superseded` word and the checksum itself, which lie between the header
  /// fields and the rules.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let header = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<superseded]))
    return Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[headerSize...]), seed: header)
  }

  /// A description of what is wrong with a file of levels.
  struct Damage: Error, Equatable {
    /// A short identifier that never changes and is recorded in the log.
    let reason: String
    let problem: String

    init(_ reason: String, _ problem: String) {
      self.reason = reason
      self.problem = problem
    }
  }

  init(generation: UInt64 = 0, rules: LevelRules = LevelRules()) {
    self.generation = generation
    self.rules = rules
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
    guard bytes.count >= Self.headerSize else { throw Damage("size", "it has \(bytes.count) bytes") }
    var header = FixedReader(bytes)
    guard header.take(UInt64.self) == Self.magic else { throw Damage("magic", "its magic bytes are wrong") }
    let version = header.take(UInt16.self)
    guard version == Self.version else { throw Damage("version", "its version is \(version)") }
    let (headerSize, count) = (Int(header.take(UInt16.self)), Int(header.take(UInt32.self)))
    generation = header.take(UInt64.self)
    let size = Int(header.take(UInt32.self))
    guard headerSize == Self.headerSize, size == bytes.count else {
      throw Damage("size", "it has \(bytes.count) bytes instead of \(size)")
    }
    let stored = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: Self.checksumOffset, as: UInt32.self))
    guard stored == Self.checksum(bytes) else { throw Damage("checksum", "its checksum does not match its contents") }
    var body = FixedReader(UnsafeRawBufferPointer(rebasing: bytes[headerSize...]))
    for _ in 0..<count {
      let level = Level(rawValue: UInt8(truncatingIfNeeded: body.take(UInt16.self)))
      let (subsystem, category) = (body.takeString(), body.takeString())
      guard let level, let subsystem, let category, let pattern = try? LevelPattern("\(subsystem):\(category)") else {
        throw Damage("rule", "one of its rules cannot be read")
      }
      rules.set(LevelRule(pattern, level))
    }
  }
}

// MARK: Storage

extension LevelFile {
  /// Identifies one file independently of its name.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// An open file of levels and its contents.
  final class Opened {
    let descriptor: Int32
    let identity: Identity
    let content: Result<LevelFile, Damage>

    fileprivate init(descriptor: Int32, identity: Identity, content: Result<LevelFile, Damage>) {
      self.descriptor = descriptor
      self.identity = identity
      self.content = content
    }

    deinit { close(descriptor) }
  }

  /// - Parameter mode: `O_RDONLY` or `O_RDWR`.
  static func open(in directory: String, mode: Int32) throws(SystemError) -> Opened {
    // `O_NONBLOCK` keeps a pipe or device of this name from blocking the open.
    let descriptor = xp_open(path(in: directory), mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SystemError(number: EINVAL)
    }
    let content: Result<LevelFile, Damage>
    do throws(Damage) { content = .success(try read(descriptor, size: Int(status.st_size))) } catch { content = .failure(error) }
    let identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    return Opened(descriptor: descriptor, identity: identity, content: content)
  }

  private static func read(_ descriptor: Int32, size: Int) throws(Damage) -> LevelFile {
    guard size <= sizeLimit else { throw Damage("size", "it has \(size) bytes") }
    var bytes = [UInt8](repeating: 0, count: size)
    let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard got == size else { throw Damage("unreadable", "it cannot be read") }
    // `withUnsafeBytes` does not support typed throws yet, so the error travels in a `Result`.
    let result: Result<LevelFile, Damage> = bytes.withUnsafeBytes { bytes in
      do throws(Damage) { return .success(try LevelFile(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Writes and syncs the file under a temporary name, so that a power loss leaves either the old file or the new one.
  func write(to path: String) throws(SystemError) {
    let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    defer { close(descriptor) }
    let bytes = encoded()
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count else { throw SystemError(number: written < 0 ? errno : ENOSPC) }
    let problem = xp_sync_file(descriptor)
    guard problem == 0 else { throw SystemError(number: problem) }
  }

  /// Creates an empty file of levels for writers to watch. Succeeds as well if another process has created one in the
  /// meantime.
  static func createDefault(in directory: String, nonce: UInt64) throws(SystemError) {
    let draft = "\(path(in: directory)).\(getpid()).\(nonce)"
    defer { unlink(draft) }
    try LevelFile().write(to: draft)
    // `link` fails if the file exists, whereas `rename` would replace a file that writers watch without marking it
    // superseded.
    if link(draft, path(in: directory)) != 0, errno != EEXIST { throw SystemError(number: errno) }
  }

  /// Tells the processes that have mapped the file that it is being replaced.
  static func markSuperseded(_ descriptor: Int32) throws(SystemError) {
    var word = UInt32(1).littleEndian
    guard pwrite(descriptor, &word, 4, off_t(superseded)) == 4 else { throw SystemError(number: errno) }
  }
}
