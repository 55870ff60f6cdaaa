import Testing
import XferEvents

@testable import XferImport

/// The table of shapes of Apple's messages.
@Suite struct AppleShapeTests {
  private static let table = ShapeTable.standard

  @Test(arguments: AppleShape.all.map(\.id))
  func `A shape matches its example, and no other shape does`(id: String) throws {
    let shape = try #require(AppleShape.all.first { $0.id == id })
    let found = Array(shape.example.utf8).withUnsafeBytes { Self.table.allShapes(of: $0) }
    let others = found.subtracting([id])
    let yielding = others.filter { other in AppleShape.all.contains { $0.id == other && $0.precedence.contains(id) } }
    #expect(found.contains(id) && others == yielding, "\(shape.example) has the shapes \(found.sorted())")
    let recognised = Array(shape.example.utf8).withUnsafeBytes { Self.table.recognise($0, by: nil as String?) }
    #expect(recognised.map { Self.table.shapes[$0.shape].id } == id)
  }

  @Test func `Identifiers are unique and in order`() {
    let ids = AppleShape.all.map(\.id)
    #expect(Set(ids).count == ids.count && ids.count == 199)
  }

  /// The prefixes with which CFNetwork names a task, and a category that Xcode prints.
  @Test(arguments: [
    "", "NDSession <EB16D700-40DA-43FE-A589-9B209BED41DD> ", "0x7fbaf639afc8 ID=548 ", "[connection] ", "[info][tid:1] ",
  ])
  func `A task is recognised behind every prefix`(prefix: String) throws {
    let text = prefix + "Task <11DEB08D-2303-4731-A849-80B9E9BBE24F>.<5> now using Connection 10"
    let found = try #require(Array(text.utf8).withUnsafeBytes { Self.table.recognise($0, by: "App") })
    #expect(Self.table.shapes[found.shape].id == "A007")
    #expect(found.task == TaskUID("11DEB08D-2303-4731-A849-80B9E9BBE24F") && found.number == 5)
    #expect(found.session?.text == (prefix.hasPrefix("ND") ? "EB16D700-40DA-43FE-A589-9B209BED41DD" : nil))
    #expect(found.range(.conn).map { Array(text.utf8)[$0] } == Array("10".utf8)[...])
  }

  @Test func `A message of one process is not taken for that of another`() {
    func shape(_ text: String, by process: String?) -> String? {
      Array(text.utf8).withUnsafeBytes { Self.table.recognise($0, by: process) }.map { Self.table.shapes[$0.shape].id }
    }
    #expect(shape("Running activities x", by: "dasd") == "A132")
    #expect(shape("Running activities x", by: "MyApp") == nil)
    #expect(shape("Running activities x", by: nil) == "A132")
    #expect(shape("Application x was suspended", by: "MyApp") == nil)
  }

  // MARK: Patterns

  private static func captures(_ pattern: String, _ text: String) -> [String: String]? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      for tokens in ShapePattern(pattern).variants {
        var names: [String] = []
        let program = ShapeProgram(tokens) { name in
          names.append(name)
          return UInt8(names.count - 1)
        }
        let captures: ShapeCaptures? = withExtendedLifetime(program) {
          var match = ShapeMatch(program.steps, bytes)
          return match.matches(at: 0) ? match.captures : nil
        }
        guard let captures else { continue }
        return Dictionary(
          uniqueKeysWithValues: (0..<captures.count).map { place in
            let (name, range) = captures[place]
            return (names[Int(name)], bytes.slice(range.lowerBound, range.upperBound).text)
          })
      }
      return nil
    }
  }

  @Test(arguments: [
    ("a {x} c", "a b b c", ["x": "b b"]), ("a {x}", "a b c", ["x": "b c"]), ("a{x:int}b", "a-12b", ["x": "-12"]),
    ("a{x:int?}b", "ab", ["x": ""]), ("{x:number} s", "1.50 s", ["x": "1.50"]), ("0x{x:hex}.", "0xAf09.", ["x": "Af09"]),
    ("({x:word}) end", "(Y, Z) end", nil), (#"\({x:word}, b"#, "(Y, b", ["x": "Y"]), ("(one|two {x:int})!", "two 2!", ["x": "2"]),
    ("a$", "a", [:]), ("a$", "ab", nil), ("a", "ab", [:]), (#"\{{x}\}"#, "{a{b}c}", ["x": "a{b"]),
    ("<{a}>.<{b}>$", "<x>.<y>.<z>", ["a": "x", "b": "y>.<z"]),
  ])
  func `A pattern matches and captures`(pattern: String, text: String, captures: [String: String]?) {
    #expect(Self.captures(pattern, text) == captures)
  }

  @Test func `A pattern gives up on a message that would take too long`() {
    let text = String(repeating: "a b ", count: 20_000)
    let clock = ContinuousClock()
    let time = clock.measure { #expect(Self.captures("{x}a{y}b{z}a{w}never", text) == nil) }
    #expect(time < .seconds(20))
  }

  // MARK: Errors

  @Test func `An error tells its code, the reason of a cancellation and the kind of its task`() {
    let error = AppleError(
      """
      Error Domain=NSURLErrorDomain Code=-999 "(null)" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=2, _kCFStreamErrorCodeKey=50,
      _kCFStreamErrorDomainKey=1, _NSURLErrorRelatedURLSessionTaskErrorKey=("LocalUploadTask <1>", "BackgroundUploadTask <1>")}
      """)
    #expect(error.domain == .url && error.code == -999 && error.reason == .insufficientResources && error.osError == 50)
    #expect(error.type == .upload && error.sessionKind == .background && error.isCancellation)
    #expect(AppleError("Error Domain=NSCocoaErrorDomain Code=4097").domain == .cocoa)
    #expect(AppleError("nothing").code == nil)
  }

  @Test(arguments: [
    (
      "unsatisfied (Local network prohibited), interface: en0[802.11], ipv4, dns, uses wifi", UnsatisfiedReason.localNetworkDenied
    ),
    ("unsatisfied (No network route)}", .notAvailable),
    ("unsatisfied (Denied over cellular interface), interface: pdp_ip0", .cellularDenied),
    ("satisfied (Path is satisfied), interface: en0", nil), ("unsatisfied (Path was denied by NECP policy)", nil),
    ("unsatisfied (Local network prohib", nil), ("<private>", nil), ("", nil),
  ])
  func `An error tells why its network path could not be used`(_ text: String, _ reason: UnsatisfiedReason?) {
    let error = AppleError("Error Domain=NSURLErrorDomain Code=-1009 \"x\" UserInfo={_NSURLErrorNWPathKey=\(text)")
    #expect(error.unsatisfied == reason && error.code == -1009)
  }

  @Test func `A message without a shape is counted without what identifies a person`() {
    let text = UnmatchedMessages.redacted(Array("Session <x> of user@example.com at /var/a sent 17 bytes to \"me\"".utf8))
    #expect(text == "Session … of … at … sent … bytes to …")
  }
}
