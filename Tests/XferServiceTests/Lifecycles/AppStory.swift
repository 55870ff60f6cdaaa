import Foundation
import LogTestSupport

/// The output of all processes of the test app, which shows the tasks it created and the callbacks it received.
struct AppStory {
  private(set) var lives: [Life] = []

  struct Life {
    let pid: pid_t
    var lines: [String] = []

    var isOver: Bool { lines.contains { $0 == "exit" || $0 == "quit" } }
    func lines(_ word: String) -> [[String]] {
      lines.map { $0.split(separator: " ").map(String.init) }.filter { $0[0] == word }
    }
  }

  init(_ said: [String]) {
    for line in said {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let pid = pid_t(parts[0]) else { continue }
      // The kernel may reuse a pid, so each start line begins a new entry.
      if parts[1] == "lives" { lives.append(Life(pid: pid)) }
      if let place = lives.lastIndex(where: { $0.pid == pid }) { lives[place].lines.append(String(parts[1])) }
    }
  }

  func all(_ word: String) -> [[String]] { lives.flatMap { $0.lines(word) } }

  func has(_ line: String) -> Bool { lives.contains { $0.lines.contains(line) } }

  /// The uids of the created tasks, by name.
  var made: [String: String] { Dictionary(all("made").map { ($0[1], $0[2]) }) { first, _ in first } }

  /// Returns the result codes of all completions of a task that the app received.
  func told(_ task: String) -> [String] { all("completed").filter { $0[1] == task }.map { $0[2] } }
}
