import XferEvents
import XferQuery

/// The URL and the files of a task, by which a user may name it.
struct TaskAddress {
  private var scheme: String?
  private var host: String?
  private var path: String?
  private var files: [String] = []

  /// Adds the URL and the files of an event. Hashed values are skipped, because a user cannot name them.
  mutating func take(_ event: RecordedEvent) {
    if let name = event.host {
      scheme = event.scheme
      host = HostText.text(name, port: event.port, scheme: event.scheme)
    }
    if case .plain(let text)? = event.path { path = text }
    for case .plain(let file)? in [event.destination, event.sourceFile] where !files.contains(file) { files.append(file) }
  }

  /// Whether a text names the task: by its URL with or without scheme and query, by the last component of the URL's path, or by
  /// the path of a file or the end of that path.
  func matches(_ text: String) -> Bool {
    if files.contains(where: { $0 == text || $0.hasSuffix("/" + text) || text.hasSuffix("/" + $0) }) { return true }
    guard let host, let path else { return false }
    if !text.contains("/"), !text.isEmpty, path.hasSuffix("/" + text) { return true }
    var given = String(text.prefix { $0 != "?" && $0 != "#" })
    let start = given.firstRange(of: "://")?.upperBound ?? given.startIndex
    if !given[start...].contains("/") { given += "/" }
    let address = host + path
    return given == address || scheme.map { given == "\($0)://\(address)" } ?? false
  }
}
