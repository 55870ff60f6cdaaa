import CXferPlatform
import Foundation
import XferCrypto
import XferEngine
import XferEvents
import XferLogStore
import XferReport

/// Ships one log: brings the objects at the destination to the state of the log.
///
/// An object is a sealed copy of a segment, and its name is made of the log's first segment's identity and of the segment's number. The
/// object of a segment that is still written is replaced by a longer one. The objects therefore form a log at any time, and a request that
/// is repeated stores the same object again.
struct LogShipper: Sendable {
  /// The log's directory.
  let directory: String
  /// The names of the directories above the log's, such as `app=maps`.
  let above: [String]
  let journalPath: String
  /// Whether `xferd` sends the objects, also after the command has ended.
  let isBackground: Bool
  let finishedOnly: Bool
  /// The kinds of private values with which a copy is sent all the same.
  let allowed: [LeakKind]
  let store: ObjectStore
  let destination: ShipDestination
  let scratch: String
  let environment: [String: String]
  /// Prints a line about an object.
  let say: @Sendable (String) -> Void

  struct Outcome: Sendable {
    var shipped = 0
    var parts = 0
    /// The number of segments that were handed to `xferd`.
    var handed = 0
    /// The number of segments that `xferd` has not sent yet.
    var waiting = 0
    /// The reasons why uploads by `xferd` were not confirmed.
    var problems: [String] = []
    var bytes: Int64 = 0
    var unchanged = 0
    var masked = 0
    /// The reasons why the objects are not the whole log.
    var gaps: [String] = []
    /// The reasons why copies with private values were not sent.
    var refusals: [String] = []
    var isReplaced = false
  }

  /// Ships what is new.
  func ship() async throws -> Outcome {
    let lock = try lock()
    defer { close(lock) }
    let journal = try ShipJournalFile(journalPath, destination: destination.name)
    var outcome = Outcome()
    let uploads = try await uploads(journal, &outcome)
    // The journal belongs to the next run as soon as the lock is released.
    defer { uploads?.stop() }
    let (segments, unreadable) = try ShippableSegment.all(in: directory)
    let numbers = Set(unreadable.compactMap { UInt32($0.prefix { $0 != "." }) })
    let plan = try journal.update { journal in
      let plan = ShipPlan(segments, unreadable: numbers, journal: &journal, finishedOnly: finishedOnly)
      journal.missing += plan.missing
      for number in plan.cut { journal.segments[number]?.state = .cut }
      return plan
    }
    (outcome.unchanged, outcome.isReplaced) = (plan.unchanged, plan.isReplaced)
    outcome.gaps += unreadable.map { "\($0) cannot be read as a segment, and was not shipped" }
    note(plan, &outcome)
    for segment in segments where plan.steps.contains(segment.number) {
      try Task.checkCancellation()
      try await ship(segment, journal, uploads, &outcome)
    }
    if let uploads { note(try await uploads.hold(), &outcome) }
    return outcome
  }

  /// Two ships of a log at the same time would overwrite each other's journal.
  private func lock() throws -> Int32 {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandExit(2, "\(directory) cannot be opened: \(String(cString: strerror(errno)))") }
    guard xp_try_lock_file(descriptor) else {
      close(descriptor)
      throw CommandExit(2, "another process is shipping \(directory); wait until it has ended")
    }
    return descriptor
  }

  private func note(_ plan: ShipPlan, _ outcome: inout Outcome) {
    for range in plan.missing {
      let which =
        range.count == 1 ? "segment \(range.lowerBound) was" : "segments \(range.lowerBound) to \(range.upperBound) were"
      outcome.gaps.append("\(which) removed from the log before it was shipped")
    }
    for number in plan.cut {
      outcome.gaps.append("segment \(number) was removed from the log after only a part of it was shipped")
    }
  }

  private func ship(
    _ segment: ShippableSegment, _ journal: ShipJournalFile, _ uploads: BackgroundUploads?, _ outcome: inout Outcome
  ) async throws {
    let known = journal.contents.segments[segment.number]
    if known?.state == .handed {
      outcome.waiting += 1
      return
    }
    // Two logs that were written at the same path may both have copies with this number in the outbox.
    let file = "\(segment.identity.hexadecimal)-\(segment.name)"
    let copy = isBackground ? "\(uploads?.outbox ?? scratch)/\(file)" : "\(scratch)/\(segment.name)"
    unlink(copy)
    var isHanded = false
    defer { if !isHanded { unlink(copy) } }
    let values = MaskedValues()
    guard try copySealed(segment, to: copy, values, &outcome) else { return }
    if let refusal = try refusal(of: copy, values) {
      outcome.refusals.append(
        "\(segment.name) was not sent, because it contains private values: \(refusal.places).\n"
          + "If they may be passed on, add \(refusal.options).")
      return
    }
    let (digest, size) = try Self.digest(of: copy)
    let key = key(of: segment, journal.contents)
    let state: ShipJournal.Entry.State = segment.isFinished ? .whole : .part
    func enter(_ state: ShipJournal.Entry.State) throws(CommandExit) {
      try journal.update { journal in
        if journal.log == nil { journal.log = segment.identity }
        journal.segments[segment.number] = ShipJournal.Entry(
          state: state, identity: segment.identity, digest: digest, stamp: segment.stamp)
      }
    }
    var isStored = known?.digest == digest && known?.state != .begun
    if let uploads, isBackground, !isStored {
      // `xferd` forgets nothing, so a task without an entry cannot exist, but an entry without a task can.
      try enter(.handed)
      isHanded = true
      try uploads.hand(
        store.presigned(key, digest: digest, at: Date()),
        HandedUpload(
          number: segment.number, key: key, digest: digest, size: size, isWhole: segment.isFinished, file: file))
      outcome.handed += 1
      return say("\(key): \(ByteCount(size)), handed to xferd\(state == .part ? ", so far" : "")")
    }
    // The process that began the request may have been killed before it saw the answer.
    if let known, known.state == .begun, known.digest == digest { isStored = try await store.has(key, digest: digest) }
    if isStored {
      outcome.unchanged += 1
    } else {
      try enter(.begun)
      try await store.put(copy, as: key, digest: digest)
      outcome.shipped += 1
      outcome.bytes += size
      if state == .part { outcome.parts += 1 }
      say("\(key): \(ByteCount(size))\(state == .part ? ", so far" : "")")
    }
    try enter(state)
  }

  // MARK: Uploads by xferd

  /// Brings the results of earlier uploads by `xferd` into the journal.
  ///
  /// - Returns: The background session for further uploads. `nil` if this run sends the objects itself.
  private func uploads(_ journal: ShipJournalFile, _ outcome: inout Outcome) async throws -> BackgroundUploads? {
    guard isBackground || journal.contents.awaitsResults else { return nil }
    let uploads = BackgroundUploads(journal, isSigned: destination.isSigned, authorities: store.authorities)
    if isBackground {
      guard mkdir(uploads.outbox, 0o700) == 0 || errno == EEXIST else {
        throw CommandExit(
          ShipRun.failed, "the directory \(uploads.outbox) for copies cannot be created: \(String(cString: strerror(errno)))")
      }
    }
    // A run in the foreground takes over what `xferd` has not sent, so that everything is shipped when the command ends.
    let entries = journal.contents.segments
    let (results, live) = try await uploads.collect { upload in
      // The journal of an upload may have been deleted.
      !isBackground || entries[upload.number]?.state != .handed || entries[upload.number]?.digest != upload.digest
    }
    note(results, &outcome)
    try journal.update { journal in
      for (number, entry) in journal.segments where entry.state == .handed && !live.contains(where: { $0.digest == entry.digest })
      {
        // The process that entered it was killed before it handed it over, or the upload was cancelled.
        journal.segments[number]?.state = .begun
      }
    }
    let kept = Set(live.map(\.file))
    for name in (try? FileManager.default.contentsOfDirectory(atPath: uploads.outbox)) ?? [] where !kept.contains(name) {
      unlink("\(uploads.outbox)/\(name)")
    }
    if isBackground { return uploads }
    uploads.close()
    rmdir(uploads.outbox)
    return nil
  }

  private func note(_ results: [BackgroundUploads.Result], _ outcome: inout Outcome) {
    for result in results {
      if let problem = result.problem {
        outcome.problems.append(problem)
        continue
      }
      outcome.shipped += 1
      outcome.bytes += result.upload.size
      if !result.upload.isWhole { outcome.parts += 1 }
      say("\(result.upload.key): \(ByteCount(result.upload.size)), sent by xferd\(result.upload.isWhole ? "" : ", so far")")
    }
  }

  // MARK: Copies

  /// Searches a copy for the values that were masked in it, and for texts that look like secrets.
  private func refusal(of copy: String, _ values: MaskedValues) throws -> LeakRefusal? {
    var scan = LeakScan(values)
    let name = copy.fileName ?? ""
    let isWhole = try SealedContents.each(of: copy) { part, bytes in
      try Task.checkCancellation()
      scan.search(bytes, at: "\(name), \(part)")
    }
    guard isWhole else {
      throw CommandExit(
        ShipRun.failed, "the copy of \(name) cannot be searched for private values, because it is damaged; it was not sent")
    }
    return LeakRefusal(scan, allowed: allowed)
  }

  /// - Parameter values: Gets the values that are masked in the copy.
  /// - Returns: Whether there is a copy. A segment that retention has removed meanwhile has none.
  private func copySealed(
    _ segment: ShippableSegment, to copy: String, _ values: MaskedValues, _ outcome: inout Outcome
  ) throws -> Bool {
    var mask: ValueMask?
    if segment.isFull {
      mask = ValueMask(
        key: try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment)),
        note: { values.note($0) })
    }
    let made = try LogCollector(.segment(segment.path), to: copy, mask: mask, note: { values.note(namesOf: $0) }).collect()
    if let problem = made.unreadable.first {
      if access(segment.path, F_OK) != 0 { return false }
      outcome.gaps.append("\(segment.name) cannot be read, and was not shipped: \(problem.problem)")
      return false
    }
    outcome.masked += made.masked
    if made.undecodable > 0 {
      outcome.gaps.append(
        "\(made.undecodable) records of \(segment.name) cannot be decoded, and were left out, because they may be private")
    }
    return true
  }

  private static func digest(of path: String) throws -> (digest: String, size: Int64) {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var (hash, size) = (SHA256(), Int64(0))
    while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
      hash.update(data: part)
      size += Int64(part.count)
    }
    return (hash.finalize().hexadecimal, size)
  }

  /// Returns the name of a segment's object, such as `app=maps/device=d17/run-5f3a9c21.xlog/000001.seg`.
  private func key(of segment: ShippableSegment, _ journal: ShipJournal) -> String {
    let identity = (journal.log ?? segment.identity).hexadecimal.prefix(8)
    return (above + ["\(Self.stem(of: directory))-\(identity)\(LogDirectory.suffix)", segment.name]).joined(separator: "/")
  }

  /// Returns the name of a log without its suffix, in which all but letters, digits, `.`, `-` and `_` are replaced.
  static func stem(of directory: String) -> String {
    let name = directory.fileName ?? "log"
    let stem = name.hasSuffix(LogDirectory.suffix) ? String(name.dropLast(LogDirectory.suffix.count)) : name
    let kept = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.".contains($0) ? $0 : "_" }
    // A name of dots only would be a step to another directory.
    return kept.allSatisfy { $0 == "." } ? "log" : String(kept)
  }
}
