import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Files that are not intact segments. Every reading command ends by itself and reports what it could not read.
@Suite(.timeLimit(.minutes(5))) struct HostileFileTests {
  private static let commands = [
    ["show"], ["show", "-o", "json"], ["tail", "-n", "5"], ["replay"], ["replay", "-o", "json"], ["stats"], ["metrics"],
    ["verify"],
    ["index", "--allow-empty", "--to", "@"], ["salvage", "--output", "@"],
  ]

  /// Runs every command on a log. A command that hangs is ended by `timeout` with exit code 124.
  private static func runs(_ log: String, in directory: TemporaryDirectory) throws -> [(command: [String], run: ToolRun)] {
    try commands.enumerated().map { place, command in
      let arguments = command.map { $0 == "@" ? directory.path("made-\(place)-\(UInt32.random(in: .min ... .max))") : $0 }
      return (
        command,
        try ToolRun.bash(
          #"exec timeout -k 1 60 "$xferlog" "$@""#.replacingOccurrences(
            of: #""$@""#, with: (arguments + [log]).map { "'\($0)'" }.joined(separator: " ")))
      )
    }
  }

  // MARK: Forged sealed segments

  private static func sealed(in directory: TemporaryDirectory) throws -> (log: String, segment: String) {
    let log = try RecordedLog.sample(in: directory)
    let outcomes = LogSealer(directory: log, observer: .current()).seal()
    #expect(outcomes.count == 1)
    return (log, "\(log)/000001.seg")
  }

  /// Changes the index of a sealed segment and recomputes every checksum, but not the hash chain.
  private static func reindex(_ path: String, _ change: (inout SealIndex, inout SealTrailer) -> Void) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let file = SegmentBytes(bytes)
    var index = try #require(SealedBlocks.index(of: file, nonce: nil))
    var trailer = try #require(SealTrailer.decode(endOf: file))
    change(&index, &trailer)
    let encoded = index.encoded()
    (trailer.storedSize, trailer.decodedSize, trailer.codec) = (UInt32(encoded.count), UInt32(encoded.count), .stored)
    trailer.checksum = encoded.withUnsafeBytes { Checksum.crc32c($0) }
    var end = [UInt8](repeating: 0, count: SealTrailer.size)
    end.withUnsafeMutableBytes { trailer.write(to: $0) }
    let blocks = bytes[..<Int(try #require(SealTrailer.decode(endOf: file)).indexOffset)]
    try Data(blocks + encoded + end).write(to: URL(fileURLWithPath: path))
  }

  private static let offsets: [UInt64] = [
    0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FF80, 0x8000_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x7FFF_FFFF_FFFF_FF80,
    0x7FFF_FFFF_FFFF_FF7F, 0x4000_0000_0000_0000, 0x600_0000,
  ]

  @Test(arguments: offsets)
  func `A block offset beyond the end of the file stops no command`(offset: UInt64) throws {
    let directory = TemporaryDirectory()
    let (log, segment) = try Self.sealed(in: directory)
    let whole = try ToolRun.xferlog("show", log).lines
    try Self.reindex(segment) { index, _ in index.entries[index.entries.count - 1].offset = offset }
    for (command, run) in try Self.runs(log, in: directory) {
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError)")
    }
    #expect(try ToolRun.xferlog("show", log).lines == whole)
    let verify = try ToolRun.xferlog("verify", log)
    let said = ["does not list the blocks that the file has", "the index is damaged"].contains { verify.text.contains($0) }
    #expect(verify.status == 1 && said, "\(verify.text)")
  }

  @Test func `An index that omits blocks hides none of their events`() throws {
    let directory = TemporaryDirectory()
    let (log, segment) = try Self.sealed(in: directory)
    let whole = try ToolRun.xferlog("show", log).lines
    try Self.reindex(segment) { index, _ in index.entries.removeAll { $0.block.chunk.kind == .records } }
    #expect(try ToolRun.xferlog("show", log).lines == whole)
    #expect(try ToolRun.xferlog("show", log, "--task", "7").lines.isEmpty == false)
    #expect(try ToolRun.xferlog("replay", log).text.contains("18 events"))
    let strict = try ToolRun.xferlog("replay", "--recovery", "strict", log)
    #expect(strict.status == 4, "\(strict.standardError)")
    #expect(try ToolRun.xferlog("verify", log).status == 1)
  }

  @Test func `An index with wrong block headers hides none of the blocks' events`() throws {
    let directory = TemporaryDirectory()
    let (log, segment) = try Self.sealed(in: directory)
    let whole = try ToolRun.xferlog("show", log).lines
    try Self.reindex(segment) { index, _ in
      for place in index.entries.indices where index.entries[place].block.chunk.kind == .records {
        index.entries[place].block.chunk.kind = .dictionary
        index.entries[place].block.positions = 0
      }
    }
    #expect(try ToolRun.xferlog("show", log).lines == whole)
    #expect(try ToolRun.xferlog("verify", log).status == 1)
  }

  // MARK: Special, sparse and extended files

  @Test(arguments: ["mkfifo", "mkdir", "ln -s /dev/zero", "ln -s /dev/full", "ln -s 000009.seg"])
  func `A special file with a segment's name stops no command and is reported`(making: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    #expect(try ToolRun.bash("\(making) \(log)/000009.seg").status == 0)
    for (command, run) in try Self.runs(log, in: directory) {
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError)")
      #expect((run.standardError + run.text).contains("000009.seg"), "\(command): \(run.standardError)")
      for lie in ["verdict: clean", #""complete":true,"incompleteBecause":[]"#] { #expect(!run.text.contains(lie), "\(command)") }
    }
    #expect(try ToolRun.xferlog("replay", "--strict", "--fail-on", "never", log).status == 4)
    #expect(try ToolRun.xferlog("show", "--strict", log).status == 4)
    // A link that leads nowhere may be the link to a file that is not there at the moment.
    let verify = try ToolRun.xferlog("verify", "--strict", log)
    #expect(verify.status == (making == "ln -s 000009.seg" ? 4 : 1), "\(verify.text)\(verify.standardError)")
  }

  @Test func `A pipe or a device as a log is rejected at once`() throws {
    let directory = TemporaryDirectory()
    let pipe = directory.path("pipe.seg")
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try ToolRun.bash("timeout -k 1 30 $xferlog show \(pipe)")
    #expect(run.status == 2 && run.standardError.contains("it is a pipe"), "\(run.standardError)")
    #expect(try ToolRun.bash("timeout -k 1 30 $xferlog show /dev/zero").status == 2)
  }

  @Test(arguments: ["8G", "100G"]) func `A huge sparse file is rejected without being read`(size: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let script = "truncate -s \(size) \(log)/000002.seg && printf x | dd of=\(log)/000002.seg bs=1 seek=7000000000 conv=notrunc"
    #expect(try ToolRun.bash(script).status == 0)
    for (command, run) in try Self.runs(log, in: directory) {
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError)")
    }
    let verify = try ToolRun.bash("ulimit -v 1000000; timeout -k 1 60 $xferlog verify \(log)")
    #expect(verify.status == 1 && verify.text.contains("more than any segment"), "\(verify.text) \(verify.standardError)")
  }

  @Test func `A segment with gigabytes appended is read and reported as too large`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let whole = try ToolRun.xferlog("show", log).lines
    #expect(try ToolRun.bash("truncate -s 9G \(log)/000001.seg").status == 0)
    for (command, run) in try Self.runs(log, in: directory) {
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError)")
    }
    let show = try ToolRun.xferlog("show", log)
    #expect(Set(show.lines).isSuperset(of: whole))
    #expect(show.text.contains("the file is larger than its header allows"))
  }

  @Test func `Sparse files whose total size overflows an integer stop no command`() throws {
    let shared = "/dev/shm/xferlog-hostile-\(getpid())-\(UInt32.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: shared) }
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let script =
      "mkdir -p \(shared)/a.xlog && for n in 1 2 3; do cp \(log)/000001.seg \(shared)/a.xlog/00000$n.seg && "
      + "truncate -s 7E \(shared)/a.xlog/00000$n.seg; done"
    // The test is skipped where /dev/shm does not support files of this size.
    guard try ToolRun.bash(script).status == 0 else { return }
    for (command, run) in try Self.runs("\(shared)/a.xlog", in: directory) {
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError.suffix(300))")
    }
    for command in ["stats --storage", "show --recovery prefix", "show --recovery salvage"] {
      let run = try ToolRun.bash("exec timeout -k 1 60 $xferlog \(command) \(shared)/a.xlog")
      #expect(run.status < 124, "\(command): \(run.status) \(run.standardError.suffix(300))")
    }
  }

  @Test func `Endless standard input is rejected as soon as it is not a segment or too large for one`() throws {
    let directory = TemporaryDirectory()
    let endless = try ToolRun.bash("ulimit -f 400000; timeout -k 1 60 cat /dev/zero | timeout -k 1 60 $xferlog replay -")
    #expect(endless.status == 2 && endless.standardError.contains("not a log"), "\(endless.standardError)")
    let segment = "\(try RecordedLog.sample(in: directory))/000001.seg"
    let long = try ToolRun.bash(
      "ulimit -f 400000; (cat \(segment); timeout -k 1 60 cat /dev/zero) | timeout -k 1 60 $xferlog replay -")
    #expect(long.status == 2 && long.standardError.contains("the maximum size of a segment"), "\(long.standardError)")
    let slow = try ToolRun.bash("(head -c 3 \(segment); tail -c +4 \(segment)) | $xferlog replay -")
    #expect(slow.text.contains("18 events"), "\(slow.standardError)")
  }

  // MARK: Segments without a header

  @Test func `A segment with lost contents and no header is reported as damaged`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(log)/000001.seg"))
    for place in 0..<4096 + 65_000 { bytes[place] = 0 }
    try bytes.write(to: URL(fileURLWithPath: "\(log)/000002.seg"))
    let verify = try ToolRun.xferlog("verify", log)
    #expect(verify.status == 1 && verify.text.contains("damaged 000002.seg"), "\(verify.text)")
    #expect(try ToolRun.xferlog("replay", "--strict", "--fail-on", "never", log).status == 4)
    let zero = try ToolRun.bash("truncate -s 0 \(log)/000002.seg && truncate -s 40000 \(log)/000002.seg")
    #expect(zero.status == 0)
    let show = try ToolRun.xferlog("show", log)
    #expect(show.standardError.contains("its bytes were lost") && !show.standardError.contains("Nothing was lost"))
    #expect(try ToolRun.xferlog("verify", log).status == 1)
    // A file of this size may be that of a writer that was killed before it wrote anything.
    #expect(
      try ToolRun.bash("truncate -s 0 \(log)/000002.seg && truncate -s $((4096 + 8 * 32768)) \(log)/000002.seg").status == 0)
    let unknown = try ToolRun.xferlog("verify", log)
    #expect(unknown.text.contains("before writing anything, or its bytes were lost"), "\(unknown.text)")
    #expect(try ToolRun.xferlog("verify", "--strict", log).status == 4)
  }

  // MARK: Files that change

  /// Returns a log that is larger than a pipe, so that a command with a blocked output has not read all of it.
  private static func long(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory)
    for number in 0..<6000 {
      let held = TaskHeld(task: RecordedLog.task, hold: .hostSlots, host: "cdn.example.com", slotsUsed: 6, slots: 6)
      log.emit(at: Int64(number), held)
    }
    log.close()
    return log.path
  }

  @Test(arguments: [false, true], ["truncate -s 50000 $file", "cp $other $file", ": > $file"])
  func `A segment that is truncated or overwritten while it is read is reported as incomplete`(
    isSealed: Bool, change: String
  ) throws {
    let directory = TemporaryDirectory()
    let log = try Self.long(in: directory)
    if isSealed { #expect(!LogSealer(directory: log, observer: .current()).seal().isEmpty) }
    let other = "\(try RecordedLog.sample(in: directory, name: "other.xlog"))/000001.seg"
    let script = """
      file=$(ls -S \(log)/*.seg | head -1); other=\(other)
      $xferlog show \(log) 2>\(directory.path("remarks")) | { read -r line; \(change); cat >\(directory.path("rest")); }
      echo ${PIPESTATUS[0]}
      """
    let run = try ToolRun.bash(script)
    #expect(run.lines == ["0"], "\(run.text) \(run.standardError)")
    let rest = try String(contentsOfFile: directory.path("rest"), encoding: .utf8)
    let isSaid = rest.contains("the file changed while it was read")
    #expect(isSaid, "\(rest.suffix(300))")
    #expect(try String(contentsOfFile: directory.path("remarks"), encoding: .utf8).contains("incomplete:"))
  }

  // MARK: Excessive demands

  @Test func `An overlong definition is truncated wherever it is used`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let name = String(repeating: "n", count: 1000)
    for number in 0..<20 { log.emit(at: Int64(number), TaskHeld(task: RecordedLog.task, hold: .hostSlots, host: name)) }
    log.close()
    let path = "\(log.path)/000001.seg"
    var draft = SegmentDraft(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    for chunk in draft.chunks.indices where draft.chunks[chunk].isDictionary {
      for record in draft.chunks[chunk].records.indices {
        let payload = draft.chunks[chunk].records[record].payload
        guard payload.count > 1000, payload[6...].starts(with: Array("nnnn".utf8)) else { continue }
        let long = [UInt8](repeating: UInt8(ascii: "m"), count: 20_000)
        draft.chunks[chunk].records[record].payload = Array(payload[..<4]) + [0x20, 0x4E] + long
      }
    }
    try Data(draft.bytes()).write(to: URL(fileURLWithPath: path))
    let show = try ToolRun.xferlog("show", "-o", "ndjson", path)
    let (isShown, isCut) = (show.text.contains("mmmm"), show.text.contains("mm…"))
    #expect(isShown && isCut && show.standardOutput.count < 20 * 4000, "\(show.standardOutput.count)")
  }

  @Test func `A statement that exceeds its time or memory limit is stopped`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    func ask(_ arguments: String...) throws -> ToolRun {
      try ToolRun.bash(
        "ulimit -v 4000000; exec timeout -k 1 60 $xferlog sql \(log) \(arguments.dropLast().joined(separator: " ")) '\(arguments.last ?? "")'",
        environment: ["XDG_CACHE_HOME": directory.path("cache")])
    }
    let counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let endless = try ask("--timeout", "100ms", counting)
    #expect(endless.status == 5 && endless.standardError.contains("exceeded the time limit of 100ms"), "\(endless.standardError)")
    let large = try ask("SELECT hex(zeroblob(900000000))")
    #expect(large.status == 2 && large.standardError.contains("exceeded the memory limit of 256MiB"), "\(large.standardError)")
    let many = try ask("--memory", "8MiB", "SELECT length(group_concat(hex(zeroblob(900000)))) FROM events a, events b, events c")
    #expect(many.status == 2 && many.standardError.contains("--memory"), "\(many.standardError)")
    let none = try ask("--memory", "1", "SELECT 1")
    #expect(none.status == 2 && none.standardError.contains("is too small to open the index"), "\(none.standardError)")
    #expect(try ask("--memory", "none", "--timeout", "none", "SELECT length(hex(zeroblob(40000000)))").text.contains("80000000"))
    #expect(try ask("--memory", "much", "SELECT 1").status == 2)
  }
}
