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
  /// Reads `mask.key` in xferlog's state directory, and makes it (for its owner alone) when there is none.
  ///
  /// Several processes may do so at once: the first to link its file in wins, and all use that one.
  public static func load(
    stateDirectory: String, random: () -> UInt64 = { .random(in: .min ... .max) }
  ) throws(LogError) -> (UInt64, UInt64) {
    let path = stateDirectory + "/mask.key"
    if let key = try read(path) { return key }
    try LogDirectory.create(stateDirectory)
    let draft = "\(path).\(getpid()).\(random())"
    let descriptor = xp_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path, "cannot be made", errno) }
    defer { unlink(draft) }
    let (first, second) = (random(), random())
    let written = withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { write(descriptor, $0.baseAddress, 16) }
    let problem = errno
    close(descriptor)
    guard written == 16 else { throw failure(path, "cannot be written", problem) }
    if link(draft, path) != 0, errno != EEXIST { throw failure(path, "cannot be made", errno) }
    guard let key = try read(path) else { throw failure(path, "vanished while it was being made", ENOENT) }
    return key
  }

  private static func read(_ path: String) throws(LogError) -> (UInt64, UInt64)? {
    // A pipe in its place would be waited for.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure(path, "cannot be opened", errno)
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
    var words: (UInt64, UInt64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &words) { pread(descriptor, $0.baseAddress, 16, 0) }
    guard count == 16, status.st_size == 16 else {
      if count < 0 { throw failure(path, "cannot be read", errno) }
      throw LogError(
        .badKey, place: path, problem: "the key has \(status.st_size) bytes instead of 16",
        advice: "Remove the file: a new key is made, and older logs no longer join with newer ones.")
    }
    return (UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
  }

  private static func failure(_ path: String, _ problem: String, _ number: Int32) -> LogError {
    LogError(
      .badKey, place: path, problem: "the key for private values \(problem) (\(systemText(number)))",
      advice: "Make its directory writable for you, or choose another with $XDG_STATE_HOME.", osError: number)
  }
}
