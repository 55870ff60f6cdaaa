import CXferPlatform
import XferEvents
import XferImport
import XferLogStore
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The contents of a compressed file, of an archive or of a text in UTF-16, in a temporary directory that is removed with this object.
final class UnpackedArchive {
  struct File {
    /// The path of the unpacked file.
    let path: String
    /// The name for people, such as `logs.zip/app.txt`.
    let name: String
    /// The first bytes, if they are not those of the unpacked file.
    var head: [UInt8]?

    /// - Returns: `nil` if the file cannot be read.
    var candidate: ImportCandidate? {
      head.map { ImportCandidate(.file, path: path, head: $0) } ?? ImportCandidate(path: path)
    }
  }

  enum Kind: Equatable {
    case gzip, zip
    /// An HTML report, which contains a log.
    case report
    case utf16
    /// A text with fenced blocks. The kind follows from the first bytes only if no importer reads the text itself.
    case markdown
    /// A text whose lines are all quoted. The kind follows from the first bytes only if no importer reads the text itself.
    case quoted(QuotedText)
  }

  var directory: String { scratch.path }
  private let scratch: ScratchDirectory
  private(set) var files: [File] = []
  /// Why the contents are incomplete; `nil` if they are complete.
  private(set) var flaw: String?
  /// The members that were left out, with the reasons.
  private(set) var leftOut: [String] = []

  /// Returns the kind of a file with these first bytes; `nil` if it can be read as it is.
  static func kind(beginningWith bytes: some Collection<UInt8>) -> Kind? {
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) { return .zip }
    if bytes.starts(with: ReportPage.signature.utf8) { return .report }
    if UTF16Transcoder.recognises(bytes) { return .utf16 }
    return nil
  }

  /// - Parameter name: the name of the archive for people.
  init(_ path: String, name: String, kind: Kind) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandExit(.failed, "\(name) cannot be opened: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    scratch = try ScratchDirectory("xferlog-unpacked")
    var status = stat()
    fstat(descriptor, &status)
    var budget = UnpackingBudget(name: name, packed: UInt64(max(0, status.st_size)))
    switch kind {
    case .gzip: try unpackGzip(descriptor, name, &budget)
    case .zip: try unpackZip(descriptor, name, &budget)
    case .report: try unpackReport(descriptor, path, name, &budget)
    case .utf16: try convert(descriptor, name, budget)
    case .markdown: try copyBlocks(descriptor, name, &budget)
    case .quoted(let text): try copyUnquoted(descriptor, name, text, &budget)
    }
  }

  // MARK: Unpacking

  private func unpackGzip(_ descriptor: Int32, _ name: String, _ budget: inout UnpackingBudget) throws {
    let base = name == "-" ? "stdin" : name.fileName ?? "file"
    let target = try create(base.hasSuffix(".gz") ? String(base.dropLast(3)) : base)
    defer { close(target.descriptor) }
    var inflater = Inflater(source: descriptor, target: target.descriptor, budget: budget)
    let outcome = try inflater.inflate(.gzip, from: 0)
    flaw = outcome.flaw
    files.append(File(path: target.path, name: name))
  }

  private func convert(_ descriptor: Int32, _ name: String, _ budget: UnpackingBudget) throws {
    let target = try create("text")
    defer { close(target.descriptor) }
    var transcoder = UTF16Transcoder(source: descriptor, target: target.descriptor, budget: budget)
    flaw = try transcoder.transcode()
    files.append(File(path: target.path, name: name))
  }

  /// Copies the fenced blocks of a text, each behind as many empty lines as there are lines before it, so that its lines keep their
  /// numbers.
  private func copyBlocks(_ descriptor: Int32, _ name: String, _ budget: inout UnpackingBudget) throws {
    let text = Self.text(descriptor, budget)
    defer { text.deallocate() }
    if budget.packed > Self.largestText {
      flaw = "only its first \(ByteCount(Int64(Self.largestText))) are searched for blocks"
    }
    let read = UnsafeRawBufferPointer(text)
    for block in FencedBlocks.first(Self.mostBlocks, in: read) {
      let target = try create("block")
      defer { close(target.descriptor) }
      let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: block.precedingLines)
      try lines.withUnsafeBytes { try budget.put($0, to: target.descriptor) }
      let contents = UnsafeRawBufferPointer(rebasing: read[block.bytes])
      try budget.put(contents, to: target.descriptor)
      files.append(File(path: target.path, name: name, head: Array(contents.prefix(ImportCandidate.headSize))))
    }
  }

  /// Copies a text without the marks of quotations. Its lines keep their numbers.
  private func copyUnquoted(
    _ descriptor: Int32, _ name: String, _ quoted: QuotedText, _ budget: inout UnpackingBudget
  ) throws {
    let text = Self.text(descriptor, budget)
    defer { text.deallocate() }
    if budget.packed > Self.largestText { flaw = "only its first \(ByteCount(Int64(Self.largestText))) are read" }
    let target = try create("text")
    defer { close(target.descriptor) }
    let read = UnsafeRawBufferPointer(text)
    try quoted.text(of: read).withUnsafeBytes { try budget.put($0, to: target.descriptor) }
    files.append(File(path: target.path, name: name))
  }

  /// Returns the first bytes of a file, in memory that the caller frees.
  private static func text(_ descriptor: Int32, _ budget: UnpackingBudget) -> UnsafeMutableRawBufferPointer {
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(min(budget.packed, largestText)), alignment: 1)
    var count = 0
    while count < text.count {
      let got = pread(descriptor, text.baseAddress.map { $0 + count }, text.count - count, off_t(count))
      if got < 0, errno == EINTR { continue }
      if got <= 0 { break }
      count += got
    }
    return UnsafeMutableRawBufferPointer(rebasing: text[..<count])
  }

  /// The maximum size in bytes of a pasted text that is read.
  private static let largestText: UInt64 = 16 << 20
  /// Each block is preceded by the lines before it, so that many blocks would need much space.
  private static let mostBlocks = 64

  /// - Parameter path: the path of the report, beside which its data may be.
  private func unpackReport(_ descriptor: Int32, _ path: String, _ name: String, _ budget: inout UnpackingBudget) throws {
    let (data, rows, events) = (try create("data.zlib"), try create("data.json"), try create("events.ndjson"))
    defer { for file in [data, rows, events] { close(file.descriptor) } }
    var report = ReportData(source: descriptor, budget: budget)
    var beside: Int32?
    defer { if let beside { close(beside) } }
    if report.isBeside {
      guard let data = ReportData.openFile(beside: path) else {
        files.append(File(path: events.path, name: name))
        return flaw = "its data is in the file \(ReportPage.FileName.data), which is not beside it"
      }
      beside = data
      var status = stat()
      fstat(data, &status)
      budget = UnpackingBudget(name: name, packed: UInt64(max(0, status.st_size)))
      report = ReportData(source: data, mark: ReportPage.dataFileStart, budget: budget)
    }
    flaw = try report.decode(to: data.descriptor)
    let source = open(data.path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return flaw = flaw ?? "its data cannot be read" }
    defer { close(source) }
    var inflater = Inflater(source: source, target: rows.descriptor, budget: report.budget)
    let outcome = try inflater.inflate(.zlib, from: 0)
    budget = inflater.budget
    flaw = flaw ?? outcome.flaw
    let problem = try ReportData.expand(rows.path, to: events.descriptor, &budget)
    flaw = flaw ?? problem
    files.append(File(path: events.path, name: name))
  }

  private func unpackZip(_ descriptor: Int32, _ name: String, _ budget: inout UnpackingBudget) throws {
    let archive = ZipArchive(descriptor, size: budget.packed)
    flaw = archive.flaw
    guard archive.mustBeScanned else {
      for member in archive.members {
        guard let local = archive.member(at: member.header) else {
          flaw = flaw ?? "the member \(member.name) is missing"
          continue
        }
        _ = try unpack(member, at: local.data, descriptor, name, &budget)
      }
      return
    }
    var offset: UInt64? = 0
    while let place = offset, let found = archive.member(at: place) {
      let end = try unpack(found.member, at: found.data, descriptor, name, &budget)
      offset = end.flatMap { archive.nextHeader(from: $0) }
    }
  }

  /// - Returns: the offset behind the member's data; `nil` if it is unknown.
  private func unpack(
    _ member: ZipArchive.Member, at data: UInt64, _ descriptor: Int32, _ name: String, _ budget: inout UnpackingBudget
  ) throws -> UInt64? {
    let end = member.packedSize.map { data &+ $0 }
    // The Finder adds files for itself.
    if member.name.hasSuffix("/") || member.name.hasPrefix("__MACOSX/") || member.name.hasSuffix("/.DS_Store") { return end }
    if member.isEncrypted || ![0, 8].contains(member.method) {
      leftOut.append("\(name)/\(member.name) (\(member.isEncrypted ? "it is encrypted" : "its compression method is unknown"))")
      return end
    }
    let target = try create(member.name)
    defer { close(target.descriptor) }
    var inflater = Inflater(source: descriptor, target: target.descriptor, budget: budget)
    let outcome: Inflater.Outcome
    if member.method == 8 {
      outcome = try inflater.inflate(.deflate, from: data, to: end)
    } else if let size = member.packedSize {
      outcome = try inflater.copy(from: data, count: size)
    } else {
      outcome = Inflater.Outcome(end: data, flaw: "the size of the member \(member.name) is unknown")
    }
    budget = inflater.budget
    if let problem = outcome.flaw { flaw = "\(problem) in the member \(member.name)" }
    files.append(File(path: target.path, name: "\(name == "-" ? "stdin" : name)/\(member.name)"))
    return outcome.flaw == nil ? max(outcome.end, end ?? 0) : nil
  }

  /// Creates a file in the temporary directory. The name of a member cannot lead out of the directory.
  private func create(_ name: String) throws -> (descriptor: Int32, path: String) {
    let parts = name.split(separator: "/").filter { $0 != "." && $0 != ".." }.map { $0.filter { $0 != "\0" } }
    var path = directory
    for part in parts.dropLast() {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
    let base = "\(path)/\(parts.last ?? "file")"
    for copy in 1...1000 {
      path = copy == 1 ? base : "\(base)-\(copy)"
      let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return (descriptor, path) }
      if errno != EEXIST { break }
    }
    throw CommandExit(.failed, "the temporary file \(path) cannot be created: \(String(cString: strerror(errno)))")
  }
}
