/// A process as RunningBoard, FrontBoard and older systems name it: `[app<com.example.app(501)>:1234]`,
/// `<FBApplicationProcess: 0x104; com.example.app; pid: 1234>` or `<FBApplicationProcess: 0x104; app<com.example.app>:1234>`.
struct ProcessTarget {
  private(set) var name: String?
  private(set) var pid: Int?

  init(name: String?, pid: Int?) { (self.name, self.pid) = (name, pid) }

  /// Returns the program of a job of the system, such as `nsurlsessiond` for `com.apple.nsurlsessiond`; another name is returned as it is.
  static func program(_ job: String) -> String {
    guard job.hasPrefix("com.apple."), let dot = job.lastIndex(of: ".") else { return job }
    return String(job[job.index(after: dot)...])
  }

  init(_ text: String) {
    // The description of an object. The shape may have taken its class.
    let parts = text.split(separator: ";").map { String($0.drop { $0 == " " }) }
    if parts.count > 1, parts[0].contains(": 0x") || parts[0].hasPrefix("<FB") {
      read(object: parts)
      return
    }
    // A bundle identifier or a name alone, or one with its number: `App[55]`, `App:55`.
    if !text.contains("<"), !text.hasPrefix("["), let word = text.split(separator: " ").first, !word.isEmpty {
      let parts = word.split(separator: word.contains("[") ? "[" : ":", maxSplits: 1)
      name = parts.first.map(String.init)
      if parts.count == 2, !parts[1].hasPrefix("0x") { pid = Self.pid(parts[1]) }
      return
    }
    if let open = text.firstIndex(of: "<") {
      let inside = text[text.index(after: open)...].prefix { $0 != ">" && $0 != "(" }
      if !inside.isEmpty, inside != "private" { name = String(inside) }
    }
    guard let close = text.lastIndex(of: "]"), let colon = text[..<close].lastIndex(of: ":") else { return }
    pid = Int(text[text.index(after: colon)..<close])
  }

  /// - Parameter parts: the parts of the object's description. The first part is the class and the address.
  private mutating func read(object parts: [String]) {
    for part in parts.dropFirst() {
      if part.hasPrefix("pid:") {
        pid = Self.pid(part.dropFirst("pid:".count))
      } else if name == nil {
        let open = part.firstIndex(of: "<").map { part.index(after: $0) } ?? part.startIndex
        let inside = part[open...].prefix { $0 != ">" && $0 != "(" }
        if !inside.isEmpty, inside != "private" { name = String(inside) }
        if open > part.startIndex, part[inside.endIndex...].hasPrefix(">:") {
          pid = Self.pid(part[inside.endIndex...].dropFirst(2))
        }
      }
    }
  }

  /// Returns the number at the beginning of a text; `nil` if it is none of a process, such as -1.
  private static func pid(_ text: some StringProtocol) -> Int? {
    Int(text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber })
  }
}
