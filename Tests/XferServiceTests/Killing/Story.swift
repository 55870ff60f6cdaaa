import Foundation

/// The output of all processes of an app, which shows the callbacks that the app received. Each line is written immediately
/// with a separate write.
struct Story {
  private(set) var lives: [Life] = []

  struct Life {
    let pid: pid_t
    var lines: [String] = []

    var isLaunched: Bool { lines.contains { $0.hasPrefix("woken") } }
    func lines(_ word: String) -> [String] { lines.filter { $0.hasPrefix(word + " ") } }
  }

  init(_ said: [String]) {
    for line in said {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let pid = pid_t(parts[0]) else { continue }
      if parts[1] == "lives" || !lives.contains(where: { $0.pid == pid }) { lives.append(Life(pid: pid)) }
      lives[lives.lastIndex { $0.pid == pid }!].lines.append(String(parts[1]))
    }
  }

  /// Whether the app started its task.
  var hasBegun: Bool { lives.contains { !$0.lines("began").isEmpty } }
  var completions: [String] { lives.flatMap { $0.lines("completed") } }

  /// The number of repeated file, body and completion callbacks.
  var repeats: Int {
    max(0, completions.count - 1) + max(0, lives.reduce(0) { $0 + $1.lines("file").count + $1.lines("lost").count } - 1)
      + max(0, lives.reduce(0) { $0 + $1.lines("body").count } - 1)
  }
}
