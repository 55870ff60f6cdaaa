import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of harmful file names that a server suggests in a real header, with files that are really moved to these names.
struct HostileNameTests {
  /// Names from known attacks on curl, wget and aria2.
  private static let known = [
    "../../etc/passwd", "/etc/passwd", ".bashrc", "..", ".", "%2e%2e%2fpasswd", "\u{1B}]0;owned\u{7}\u{1B}[2J",
    "fdp\u{202E}txt.exe",
    "a\u{0}b.txt", #"..\..\boot.ini"#, #"C:\Windows\win.ini"#, "~/.ssh/authorized_keys", "trailing. . ",
    String(repeating: "a", count: 5000),
    "", "con", "a\r\nSet-Cookie: b=c\r\n\r\n",
  ]

  private static let hostile = [
    "/", "\\", "..", "../", "..\\", ".", "%2f", "%2e", "%00", "%", "\u{0}", "\n", "\r", "\t", "\u{1B}[31m", "\u{7F}", "\u{85}",
    "\u{9B}",
    "\u{202E}", "\u{2066}", "\u{200B}", "\u{2028}", "\u{FEFF}", "\u{E0041}", "\u{301}", " ", "~", "-", "\"", "'", ";", "=", "*",
    "é", "日本",
    "👨‍👩‍👧", "con", ".bashrc", "taken", "link", "\u{FFFD}", "\u{10FFFF}",
  ]

  private static func mutated(_ random: inout SeededRandom) -> String {
    var scalars = Array(known.randomElement(using: &random)!.unicodeScalars.prefix(300))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...scalars.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: scalars.removeSubrange(place..<min(scalars.count, place + 3))
      case 1: scalars += known.randomElement(using: &random)!.unicodeScalars
      case 2: scalars.append(contentsOf: repeatElement(scalars.first ?? "é", count: Int.random(in: 0..<300, using: &random)))
      default: scalars.insert(contentsOf: hostile.randomElement(using: &random)!.unicodeScalars, at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns a `Content-Disposition` value with the name in a random notation. Only percent-encoding preserves line ends and
  /// NULs.
  private static func field(_ name: String, _ random: inout SeededRandom) -> String {
    let encoded = name.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let plain = name.replacing("\r\n", with: " ").filter { !$0.unicodeScalars.contains { "\r\n\0".unicodeScalars.contains($0) } }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "attachment; filename*=UTF-8''\(encoded)"
    case 1: return "attachment; filename*=utf-8'en'\(encoded); filename=\"fallback.txt\""
    case 2: return "inline; filename*0*=UTF-8''\(encoded); filename*1=\"\(plain.replacing("\"", with: ""))\""
    case 3: return "attachment; filename=\(plain)"
    case 4: return "attachment; filename=\"\(plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    default: return "attachment; filename=\"\(plain)\""
    }
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty || name.hasPrefix(".") || name.utf8.count > 204 || name.contains("/") || name.contains("\\") {
      return "is empty, hidden, too long or has a separator"
    }
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return "has U+\(String(scalar.value, radix: 16))"
      default: break
      }
    }
    return nil
  }

  /// Returns the type and contents of everything below a directory, by path.
  private static func listing(_ directory: String) throws -> [String: String] {
    var listing: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      let path = "\(directory)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      let bytes = FileManager.default.contents(atPath: path)?.hashValue ?? 0
      listing[name] = "\(attributes[.type] ?? "") \(target ?? "") \(target == nil ? bytes : 0)"
    }
    return listing
  }

  /// Each seed tests the known names and 50 random ones: 500 random names by default, and 5,000 in a campaign.
  @Test(arguments: seeds(10, campaign: 100))
  func `A suggested file name never escapes its directory, hides or replaces a file`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let names = Self.known + (0..<50).map { _ in Self.mutated(&random) }
    let routes = names.enumerated().map { index, name in
      ServerScript.Route(
        "/\(index)/x",
        ScriptedResponse(
          headers: ["Content-Disposition": Self.field(name, &random)], body: .generated(size: 100, seed: .value(UInt64(index)))))
    }
    try await Bench.run(routes) { bench in
      let (outside, inside) = (bench.path("outside"), bench.path("outside/a/in"))
      try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
      for name in ["passwd", "taken", "x", "con", "index.html", "fallback.txt"] {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(inside)/\(name)"))
      }
      for name in ["_bashrc", "link", "boot.ini"] {
        try FileManager.default.createSymbolicLink(atPath: "\(inside)/\(name)", withDestinationPath: "../\(name)")
      }
      let before = try Self.listing(outside)
      var got: [String: Int] = [:]
      for index in names.indices {
        let place = try await bench.session.download(for: bench.request("/\(index)/x")) { file, response in
          let name = response.suggestedFilename
          #expect(Self.problem(name) == nil, "\(name.debugDescription), seed \(seed), name \(index)")
          return try file.move(toFreeNameAt: "\(inside)/\(name)")
        }
        #expect(place.hasPrefix("\(inside)/"))
        got[String(place.dropFirst(outside.count + 1))] = index
      }
      var after = try Self.listing(outside)
      #expect(got.count == names.count, "each download has its own file, seed \(seed)")
      for (name, index) in got {
        #expect(
          bench.bytes("outside/\(name)") == ScriptBody.bytes(seed: UInt64(index), size: 100),
          "\(name.debugDescription), seed \(seed)")
        #expect(Self.problem(String(name.dropFirst(5))) == nil, "\(name.debugDescription), seed \(seed)")
        after[name] = nil
      }
      #expect(after == before, "no other file was created or changed, seed \(seed)")
    }
  }
}
