import CXferPlatform
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A report in a directory: a page without inline script and style, and its script, style and data as files.
///
/// Each file appears when all files are complete, and the page appears last.
final class SplitReport: ReportDestination {
  private let path: String
  private let ownsDirectory: Bool
  private var isFinished = false
  private let surroundings: Surroundings
  private var files: [ExportDestination] = []

  /// - Parameters:
  ///   - path: the directory, which is created if it does not exist.
  ///   - overwrites: whether the files may be written into a directory that has no report.
  init(_ path: String, overwrites: Bool, _ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    if path.isEmpty || path == "-" {
      throw CommandExit(.wrongUsage, "--split needs the name of a directory; name one with --output")
    }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    // Only its owner can read it, as a report in one file.
    ownsDirectory = mkdir(self.path, 0o700) == 0
    if ownsDirectory { return }
    guard errno == EEXIST else {
      throw CommandExit(
        .failed, "\(path) cannot be created: \(systemText(errno)).\nChoose a path in a writable directory.")
    }
    var status = stat()
    guard stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandExit(.wrongUsage, "\(path) is not a directory; name a directory with --output")
    }
    if overwrites || Self.isPage("\(self.path)/\(ReportPage.FileName.page)") || Self.isEmpty(self.path) { return }
    throw CommandExit(
      .failed,
      "\(path) already exists and has no report; nothing was written. Choose another directory, or use --overwrite.")
  }

  deinit {
    files.removeAll()
    if ownsDirectory, !isFinished { rmdir(path) }
  }

  func write(_ run: ReportRun) throws -> ReportRun.Result {
    let shared = try ReportPage.sharedFiles.map { ($0.text, try file($0.name)) }
    for (text, file) in shared { file.output.buffer.append(text) }
    let (data, page) = (try file(ReportPage.FileName.data), try file(ReportPage.FileName.page))
    return try run.write(page: page.output, data: data.output)
  }

  func finish() throws {
    // If there is no space, it is missed before the first file is replaced.
    for file in files { try file.output.flush() }
    for file in files { try file.finish() }
    isFinished = true
  }

  private func file(_ name: String) throws -> ExportDestination {
    let file = try ExportDestination("\(path)/\(name)", replaces: true, isBinary: false, surroundings)
    files.append(file)
    return file
  }

  // MARK: Existing files

  /// Whether a file is the page of an earlier report.
  static func isPage(_ path: String) -> Bool {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let signature = Array(ReportPage.signature.utf8)
    var head = [UInt8](repeating: 0, count: signature.count)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == signature.count && head == signature
  }

  private static func isEmpty(_ directory: String) -> Bool {
    guard let stream = opendir(directory) else { return false }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count == 2
  }
}
