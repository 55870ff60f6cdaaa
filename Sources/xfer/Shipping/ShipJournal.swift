import CXferPlatform
import Foundation
import XferEngine
import XferEvents
import XferLogStore

/// The record of what has been shipped of one log to one destination. A small text file, which is replaced as a whole.
struct ShipJournal: Equatable {
  let destination: String
  /// The identity of the log's first shipped segment, which is part of the names of all objects. `nil` before the first one.
  var log: UInt64?
  /// The segments that were shipped or begun, by number.
  var segments: [UInt32: Entry] = [:]
  /// The ranges of numbers of segments that were removed before they were shipped.
  var missing: [ClosedRange<UInt32>] = []

  struct Entry: Equatable {
    enum State: String {
      /// The request was begun. The object may be stored or not.
      case begun
      /// The request was handed to `xferd`. The object may be stored or not.
      case handed
      /// The object has the events so far of a segment that is still written.
      case part
      /// The object has all events.
      case whole
      /// The segment was removed after a part of it was shipped.
      case cut
    }

    var state: State
    let identity: UInt64
    /// The SHA-256 digest of the object, in hexadecimal.
    var digest: String
    var stamp: ShippableSegment.Stamp
  }

  private static let magic = "xferlog-shipped 1"

  init(destination: String) { self.destination = destination }

  // MARK: Text

  /// The file's contents: one line for each fact, and a last line with their checksum.
  var text: String {
    var lines = [Self.magic, "destination \(destination)"]
    if let log { lines.append("log \(log.hexadecimal)") }
    for (number, entry) in segments.sorted(by: { $0.key < $1.key }) {
      let stamp = entry.stamp
      lines.append(
        "segment \(number) \(entry.state.rawValue) \(entry.identity.hexadecimal) \(entry.digest) \(stamp.inode) \(stamp.size) \(stamp.modified)"
      )
    }
    lines += missing.map { "missing \($0.lowerBound) \($0.upperBound)" }
    let body = lines.map { $0 + "\n" }.joined()
    return body + "end \(Self.checksum(body))\n"
  }

  private static func checksum(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    return String(bytes.withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) }, radix: 16)
  }

  /// - Parameter text: The contents of a file. Anything but complete contents of this version gives `nil`.
  init?(text: String) {
    guard let end = text.range(of: "end ", options: .backwards), text.hasSuffix("\n"),
      text[end.upperBound...].dropLast() == Self.checksum(text[..<end.lowerBound])
    else { return nil }
    var lines = text[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard lines.popFirst().map({ $0 == Self.magic }) ?? false, let first = lines.popFirst(), first.hasPrefix("destination ")
    else {
      return nil
    }
    destination = String(first.dropFirst("destination ".count))
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("log", 2):
        guard let log = UInt64(words[1], radix: 16) else { return nil }
        self.log = log
      case ("segment", 8):
        guard let number = UInt32(words[1]), let state = Entry.State(rawValue: words[2]),
          let identity = UInt64(words[3], radix: 16), let inode = UInt64(words[5]), let size = Int64(words[6]),
          let modified = Int64(words[7])
        else { return nil }
        segments[number] = Entry(
          state: state, identity: identity, digest: words[4],
          stamp: ShippableSegment.Stamp(inode: inode, size: size, modified: modified))
      case ("missing", 3):
        guard let low = UInt32(words[1]), let high = UInt32(words[2]), low <= high else { return nil }
        missing.append(low...high)
      default: return nil
      }
    }
  }

  // MARK: File

  /// Reads a journal; a missing file is an empty journal.
  static func read(_ path: String, destination: String) throws(CommandExit) -> ShipJournal {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return ShipJournal(destination: destination) }
      throw CommandExit(2, "the journal \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? file.readToEnd() ?? Data() else { throw CommandExit(2, "the journal \(path) cannot be read") }
    guard let journal = ShipJournal(text: String(decoding: data, as: UTF8.self)) else {
      throw CommandExit(
        2,
        """
        the journal \(path) is damaged, or is not a journal.
        Remove it to ship the log again; what has already been shipped is then replaced by the same bytes.
        """)
    }
    guard journal.destination == destination else {
      // No object was confirmed, for example because the destination was mistyped.
      if journal.segments.values.allSatisfy({ $0.state == .begun }) {
        var fresh = ShipJournal(destination: destination)
        fresh.missing = journal.missing
        return fresh
      }
      throw CommandExit(
        2,
        """
        the journal \(path) is that of another destination, \(journal.destination).
        Name another file with --journal to ship the log to \(destination) too.
        """)
    }
    return journal
  }

  /// Replaces the file. After a power cut, it has either the old or the new contents.
  func write(_ path: String) throws(CommandExit) {
    let problem = DurableFile.replace(path, with: Array(text.utf8))
    guard problem == 0 else {
      throw CommandExit(
        2,
        """
        the journal \(path) cannot be written: \(String(cString: strerror(problem))).
        Make room, or name a file in another place with --journal. What was shipped is not lost.
        """)
    }
  }
}
