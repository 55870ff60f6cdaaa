import Foundation
import HTTPTypes
import XferEngine
import XferEvents
import XferReport

/// The output of `-v` on standard error: sent and received headers with curl's marks. Credentials are left out.
enum Narration {
  static func sent(_ request: HTTPRequest) {
    let fields = request.headerFields.map { field in
      "\(field.name.rawName): \(TransferSession.isSecretField(field.name) ? "(not shown)" : field.value)"
    }
    say(">", ["\(request.method.rawValue) \(ShownURL.text(request.writtenURL))"] + fields + [""])
  }

  /// - Parameter lines: The lines of a response head, as received.
  static func received(_ lines: Data) {
    let lines = String(decoding: lines, as: UTF8.self).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    say(
      "<",
      lines.dropLast().map { line in
        let name = line.split(separator: ":", maxSplits: 1).first.flatMap { HTTPField.Name(String($0)) }
        return name.map(TransferSession.isSecretField) ?? false ? "\(name?.rawName ?? ""): (not shown)" : String(line)
      })
  }

  static func ended(_ metrics: TaskMetrics) {
    say(
      "*",
      metrics.transactionMetrics.map { transaction in
        let address = transaction.remoteAddress.map { "\($0) port \(transaction.remotePort ?? 0)" } ?? "no connection"
        let times = [
          ("name", transaction.nameLookupTime), ("connect", transaction.connectTime), ("TLS", transaction.secureTime),
          ("first byte", transaction.firstByteTime), ("body", transaction.bodyTime),
        ]
        let spent = times.compactMap { name, time in time.map { "\(name) \($0.short)" } }.joined(separator: ", ")
        let reused = transaction.isReusedConnection == true ? ", reused" : ""
        return
          "attempt \(transaction.attempt): \(address)\(reused), \(transaction.networkProtocolName ?? "no response"): \(spent)"
      })
  }

  private static func say(_ mark: String, _ lines: [String]) {
    Remarks.write(lines.map { "\(mark) \(TerminalText.escaped($0))\n" }.joined())
  }
}
