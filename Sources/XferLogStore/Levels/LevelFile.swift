import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file `levels` of a log: what its writers are asked to keep beside what they keep anyway.
///
/// It is only ever replaced. Writers map it and look at one word of the mapping, which says that the file has a successor.
struct LevelFile: Equatable {
  /// Raised with every change.
  var generation: UInt64 = 0
  var rules = LevelRules()

  static let name = "levels"
  /// "XFERLVL" and the version as a byte, read as a little-endian word.
  static let magic: UInt64 = 0x014C_564C_5245_4658
  static let version: UInt16 = 1
  static let headerSize = 40
  /// Not under the checksum: 1 once the file has, or is about to have, a successor.
  static let superseded = 32
  private static let checksumOffset = 36
  /// Far above what anybody would write, and little to read.
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

  /// Of everything but the two words that stand between header and rules.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let header = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<superseded]))
    return Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[headerSize...]), seed: header)
  }

  /// What is wrong with a file's bytes.
  struct Damage: Error, Equatable {
    /// Short and fixed: the log keeps it.
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
    guard header.take(UInt64.self) == Self.magic else { throw Damage("magic", "its first bytes are not those of such a file") }
    let version = header.take(UInt16.self)
    guard version == Self.version else { throw Damage("version", "its version is \(version)") }
    let (headerSize, count) = (Int(header.take(UInt16.self)), Int(header.take(UInt32.self)))
    generation = header.take(UInt64.self)
    let size = Int(header.take(UInt32.self))
    guard headerSize == Self.headerSize, size == bytes.count else {
      throw Damage("size", "it has \(bytes.count) bytes instead of \(size)")
    }
    let stored = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: Self.checksumOffset, as: UInt32.self))
    guard stored == Self.checksum(bytes) else { throw Damage("checksum", "its checksum is not that of its bytes") }
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

// MARK: On disk

extension LevelFile {
  /// One file, whatever its name is by now.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// A file that was opened, and what it holds.
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
    // Whatever else lies there under this name must not make anybody wait.
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
    // Typed throws do not pass through `withUnsafeBytes` yet.
    let result: Result<LevelFile, Damage> = bytes.withUnsafeBytes { bytes in
      do throws(Damage) { return .success(try LevelFile(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Writes the whole file under a name of its own, through to the disk: after a power loss there is the old one or this.
  func write(to path: String) throws(SystemError) {
    let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    defer { close(descriptor) }
    let bytes = encoded()
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count else { throw SystemError(number: written < 0 ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw SystemError(number: errno) }
  }

  /// Makes the file that asks for nothing, so that writers have one to watch. Somebody else's, made meanwhile, is as good.
  static func createDefault(in directory: String, nonce: UInt64) throws(SystemError) {
    let draft = "\(path(in: directory)).\(getpid()).\(nonce)"
    defer { unlink(draft) }
    try LevelFile().write(to: draft)
    // Not renamed: a file that is being watched must not lose its name without a mark.
    if link(draft, path(in: directory)) != 0, errno != EEXIST { throw SystemError(number: errno) }
  }

  /// Tells everybody who has mapped the file that they will find another.
  static func markSuperseded(_ descriptor: Int32) throws(SystemError) {
    var word = UInt32(1).littleEndian
    guard pwrite(descriptor, &word, 4, off_t(superseded)) == 4 else { throw SystemError(number: errno) }
  }
}
