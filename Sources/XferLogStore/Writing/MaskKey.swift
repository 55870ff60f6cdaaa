import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The key for hashing private values: one per installation, stored outside every log, bundle and report.
public enum MaskKey {
  /// Reads `mask.key` in xferlog's state directory, and creates it with mode 0600 if it is missing or incomplete.
  ///
  /// If several processes call this function concurrently, all of them get the same key.
  ///
  /// - Parameters:
  ///   - stateDirectory: The directory of the key file.
  ///   - random: The source of random numbers for a new key.
  ///   - remade: Receives a sentence if a damaged key was replaced. Hashes in earlier logs then no longer match those in
  ///     later logs.
  /// - Throws: `LogError` if the key cannot be read or created, or if other users may have read it.
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
    // If several processes create a key concurrently, only the first `link` succeeds, and all of them use its key.
    if link(draft, path) != 0, errno != EEXIST { throw failure(path, "cannot be created", errno) }
    LogDirectory.synchronise(stateDirectory)
    switch try read(path) {
    case .key(let first, let second): return (first, second)
    case .missing: throw failure(path, "disappeared while it was being created", ENOENT)
    case .broken: return try replace(path, in: stateDirectory, random, remade)
    }
  }

  /// Prints a sentence on standard error.
  public static func remark(_ sentence: String) {
    let line = Array("xferlog: \(sentence)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Replaces a file that does not contain a valid key, such as one left by a power loss.
  private static func replace(
    _ path: String, in directory: String, _ random: () -> UInt64, _ remade: (String) -> Void
  ) throws(LogError) -> (UInt64, UInt64) {
    // The lock serialises processes, so the second one finds the key of the first.
    let lock = xp_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard lock >= 0 else { throw failure(path, "cannot be created", errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      if errno != EINTR { throw failure(path, "cannot be created", errno) }
    }
    let found = try read(path)
    if case .key(let first, let second) = found { return (first, second) }
    let draft = try draft(of: path, random)
    guard rename(draft, path) == 0 else {
      let problem = errno
      unlink(draft)
      throw failure(path, "cannot be created", problem)
    }
    LogDirectory.synchronise(directory)
    guard case .key(let first, let second) = try read(path) else {
      throw failure(path, "disappeared while it was being created", ENOENT)
    }
    let size = if case .broken(let size) = found { size } else { 0 as Int64 }
    remade(
      "\(path) contained \(size) of the key's 16 bytes, so a new key was created: "
        + "hashes in earlier logs no longer match those in later logs")
    return (first, second)
  }

  /// Writes a new key to a temporary file and syncs it, so that the key's own name never refers to an incomplete key.
  private static func draft(of path: String, _ random: () -> UInt64) throws(LogError) -> String {
    let draft = "\(path).\(getpid()).\(random())"
    let descriptor = xp_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path, "cannot be created", errno) }
    defer { close(descriptor) }
    let (first, second) = (random(), random())
    let unwritten = withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { writeAll($0, to: descriptor, at: 0) }
    let problem = unwritten ?? xp_sync_file(descriptor)
    guard problem == 0 else {
      unlink(draft)
      throw failure(path, "cannot be written", problem)
    }
    return draft
  }

  private enum Reading {
    case key(UInt64, UInt64)
    case missing
    /// The file is private to its owner, but does not contain a complete key.
    case broken(size: Int64)
  }

  private static func read(_ path: String) throws(LogError) -> Reading {
    // `O_NONBLOCK` keeps a pipe of this name from blocking the open.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if descriptor < 0 {
      if errno == ENOENT { return .missing }
      throw failure(path, errno == ELOOP ? "is a symbolic link, which is not followed" : "cannot be opened", errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LogError(
        .badKey, place: path, problem: "the key for private values is not a regular file",
        advice: "Remove it to have a new key created. Hashes in older logs then no longer match those in newer logs.")
    }
    // Reject a key that other users may have read: with the key, they can find the original of a hash by hashing guesses.
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw LogError(
        .badKey, place: path,
        problem: "other users may have read the key for private values "
          + "(owner \(status.st_uid), mode \(mode); expected owner \(geteuid()), mode 600)",
        advice: "If no one has read it, fix it with `chown` and `chmod 600`; otherwise remove it to have a new key created.")
    }
    guard status.st_size == 16 else { return .broken(size: Int64(status.st_size)) }
    var words: (UInt64, UInt64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &words) { pread(descriptor, $0.baseAddress, 16, 0) }
    if count < 0 { throw failure(path, "cannot be read", errno) }
    guard count == 16 else { return .broken(size: Int64(count)) }
    // A power loss may leave the file's size but zero its bytes. Hashes with such a key could be reversed by anyone.
    if words == (0, 0) { return .broken(size: 0) }
    return .key(UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
  }

  private static func failure(_ path: String, _ problem: String, _ number: Int32) -> LogError {
    LogError(
      .badKey, place: path, problem: "the key for private values \(problem) (\(systemText(number)))",
      advice: "Make its directory writable, or choose another one with $XDG_STATE_HOME.", osError: number)
  }
}
