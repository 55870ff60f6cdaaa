import Foundation

/// What an app said in all its lives, each line at once and by itself: the truth about which callbacks it got.
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

  /// Whether the app was told that its task is on its way.
  var hasBegun: Bool { lives.contains { !$0.lines("began").isEmpty } }
  var completions: [String] { lives.flatMap { $0.lines("completed") } }

  /// How often the app was told of a file or a body that it had been told of before, or of a completion.
  var repeats: Int {
    max(0, completions.count - 1) + max(0, lives.reduce(0) { $0 + $1.lines("file").count + $1.lines("lost").count } - 1)
      + max(0, lives.reduce(0) { $0 + $1.lines("body").count } - 1)
  }
}
