extension SegmentHeader.Failure {
  func error(at path: String) -> LogError {
    switch problem {
    case .unfinished:
      LogError(
        .unfinished, place: path,
        problem: "the segment is empty: its writer terminated before writing anything, or its bytes were lost",
        advice: "If its writer was killed at startup, remove the file. "
          + "After a power loss or a disk failure, restore it from a backup.")
    case .cut:
      LogError(
        .damagedHeader, place: path, problem: "the file ends inside its header; everything after it is lost",
        advice: "Exclude the segment, or restore it from a backup.")
    case .tooLarge(let size):
      LogError(
        .damagedHeader, place: path, problem: "the file has \(size) bytes, more than any segment, and no header",
        advice: "Exclude the segment, or restore it from a backup.")
    case .erased(let size):
      LogError(
        .damagedHeader, place: path,
        problem: "the file has \(size) bytes and no header, and no writer creates a file of this size: its bytes were lost",
        advice: "Exclude the segment, or restore it from a backup.")
    case .lost:
      LogError(
        .damagedHeader, place: path, problem: "the header is empty, although records follow it",
        advice: "Exclude the segment, or restore it from a backup.")
    case .notASegment:
      LogError(
        .notALog, place: path, problem: "not a segment of an xferlog log: its magic bytes are wrong",
        advice: "Pass a .xlog directory or one of its .seg files.")
    case .checksum(let stored, let computed):
      LogError(
        .damagedHeader, place: path,
        problem: "the header's checksum is \(String(stored, radix: 16)), but \(String(computed, radix: 16)) was computed",
        advice: "Exclude the segment, or restore it from a backup.")
    case .version(let version):
      LogError(
        .unknownVersion, place: path,
        problem: "the segment has format version \(version); this reader supports \(SegmentFormat.version)",
        advice: "Read it with a newer xferlog.")
    case .unknownFeature(let bits):
      LogError(
        .unknownFeature, place: path,
        problem: "the segment uses features that this reader does not support (flags \(String(bits, radix: 16)))",
        advice: "Read it with a newer xferlog.")
    case .unreadable:
      LogError(
        .damagedHeader, place: path, problem: "the header's fields are inconsistent",
        advice: "Exclude the segment, or restore it from a backup.")
    }
  }
}
