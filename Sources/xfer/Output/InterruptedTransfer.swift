import XferEngine
import XferEvents
import XferReport

/// The message about a transfer that the user interrupted: how much was transferred, and how to resume the transfer.
struct InterruptedTransfer {
  private let result: TransferResult
  private let verb: Verb

  /// - Returns: `nil` for a transfer that was not interrupted, or had not begun.
  init?(_ result: TransferResult, _ verb: Verb) {
    guard result.problem?.isCancellation ?? false, result.count > 0 else { return nil }
    (self.result, self.verb) = (result, verb)
  }

  /// A text such as `interrupted at 35 %; resume with: xfer get -C - URL`.
  var text: String {
    let place =
      result.expected.flatMap { $0 > 0 ? "at \(Int(min(1, Double(result.count) / Double($0)) * 100)) %" : nil }
      ?? "after \(ByteCount(result.count))"
    return "interrupted \(place); " + (result.isResumable ? "resume with: \(command)" : "it cannot be resumed")
  }

  private var command: String {
    let transfer = result.transfer
    // Messages may be stored, so the command is not shown if its URL contains a password or a signature.
    guard ShownURL.text(transfer.url) == transfer.url else { return "the same command and -C -" }
    var words = ["xfer", verb.rawValue, "-C", "-"]
    let usual = SuggestedFilename(contentDisposition: nil, urlText: transfer.url).text
    if case .file(let path) = transfer.destination, verb == .request || path != usual { words += ["-o", path] }
    return (words + [transfer.url]).map(Self.quoted).joined(separator: " ")
  }

  /// Returns a word, quoted for a shell if necessary.
  private static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=%+,@~".contains($0)) }
    return plain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
