import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The key that private values are hashed with: one for an installation, kept outside every log, bundle and report.
public enum MaskKey {
  /// Reads `mask.key` in xferlog's state directory, and makes it (for its owner alone) when there is none, or none that is whole.
  ///
  /// Several processes may do so at once: they use one key.
  ///
  /// - Parameter remade: gets a sentence about a key that had to be replaced: hashes of earlier logs no longer join with later ones.
  public static func load(
    stateDirectory: String, random: () -> UInt64 = { .random(in: .min ... .max) }, remade: (String) -> Void = remark
  ) throws(LogError) -> (UInt64, UInt64) {
    let path = stateDirectory + "/mask.key"
    switch try read(path) {
    case .key(let first, let second): return (first, second)
    case .missing: break
    case .broken: return try replace(path, in: stateDirectory, random, remade)
    }
    try LogDirectory.create(stateDirectory)
    let draft = try draft(of: path, random)
    defer { unlink(draft) }
    // The first to link its draft in wins.
    if link(draft, path) != 0, errno != EEXIST { throw failure(path, "cannot be made", errno) }
    LogDirectory.synchronise(stateDirectory)
    switch try read(path) {
    case .key(let first, let second): return (first, second)
    case .missing: throw failure(path, "vanished while it was being made", ENOENT)
    case .broken: return try replace(path, in: stateDirectory, random, remade)
    }
  }

  /// Says on standard error what became of the key.
  public static func remark(_ sentence: String) {
    let line = Array("xferlog: \(sentence)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Puts a new key in the place of a file that is none, as a power cut leaves one.
  private static func replace(
    _ path: String, in directory: String, _ random: () -> UInt64, _ remade: (String) -> Void
  ) throws(LogError) -> (UInt64, UInt64) {
    // One process after another: the second finds the first one's key.
    let lock = xp_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard lock >= 0 else { throw failure(path, "cannot be made", errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      if errno != EINTR { throw failure(path, "cannot be made", errno) }
    }
    let found = try read(path)
    if case .key(let first, let second) = found { return (first, second) }
    let draft = try draft(of: path, random)
    guard rename(draft, path) == 0 else {
      let problem = errno
      unlink(draft)
      throw failure(path, "cannot be made", problem)
    }
    LogDirectory.synchronise(directory)
    guard case .key(let first, let second) = try read(path) else {
      throw failure(path, "vanished while it was being made", ENOENT)
    }
    let size = if case .broken(let size) = found { size } else { 0 as Int64 }
    remade(
      "\(path) had \(size) bytes of a key instead of 16, so a new key was made: "
        + "hashes in earlier logs no longer join with those in later ones")
    return (first, second)
  }

  /// Writes a new key to a file of its own, through to the disk: under its name there is never a part of one.
  private static func draft(of path: String, _ random: () -> UInt64) throws(LogError) -> String {
    let draft = "\(path).\(getpid()).\(random())"
    let descriptor = xp_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path, "cannot be made", errno) }
    defer { close(descriptor) }
    let (first, second) = (random(), random())
    let problem = withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { writeAll($0, to: descriptor, at: 0) }
    guard problem == nil, fsync(descriptor) == 0 else {
      let number = problem ?? errno
      unlink(draft)
      throw failure(path, "cannot be written", number)
    }
    return draft
  }

  private enum Reading {
    case key(UInt64, UInt64)
    case missing
    /// A file of its owner's alone, of another size.
    case broken(size: Int64)
  }

  private static func read(_ path: String) throws(LogError) -> Reading {
    // A pipe in its place would be waited for.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if descriptor < 0 {
      if errno == ENOENT { return .missing }
      throw failure(path, errno == ELOOP ? "is a link, which is not followed" : "cannot be opened", errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LogError(
        .badKey, place: path, problem: "the key for private values is no file",
        advice: "Remove it: a new key is made, and older logs no longer join with newer ones.")
    }
    // Who knows the key can find out by trying what a hash stands for.
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw LogError(
        .badKey, place: path,
        problem: "others may know the key for private values (owner \(status.st_uid), mode \(mode), not \(geteuid()) and 600)",
        advice: "If nobody has read it, make it yours with `chown` and `chmod 600`; else remove it, and a new key is made.")
    }
    guard status.st_size == 16 else { return .broken(size: Int64(status.st_size)) }
    var words: (UInt64, UInt64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &words) { pread(descriptor, $0.baseAddress, 16, 0) }
    if count < 0 { throw failure(path, "cannot be read", errno) }
    guard count == 16 else { return .broken(size: Int64(count)) }
    // A power cut may keep a file's size and lose its bytes; everybody could try out what such a key hides.
    if words == (0, 0) { return .broken(size: 0) }
    return .key(UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
  }

  private static func failure(_ path: String, _ problem: String, _ number: Int32) -> LogError {
    LogError(
      .badKey, place: path, problem: "the key for private values \(problem) (\(systemText(number)))",
      advice: "Make its directory writable for you, or choose another with $XDG_STATE_HOME.", osError: number)
  }
}
