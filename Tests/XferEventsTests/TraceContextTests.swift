import Testing

@testable import XferEvents

struct TraceContextTests {
  private static let usual = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test func `A value is read and written unchanged`() throws {
    let context = try #require(TraceContext(Self.usual))
    #expect(context.text == Self.usual)
    #expect(context.trace == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.span == 0x00f0_67aa_0ba9_02b7)
    #expect(context.child(1)?.text == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01")
    #expect(TraceContext(Self.usual.dropLast(2) + "00")?.text.hasSuffix("-00") == true)
  }

  @Test func `A later version may have more parts and flags`() {
    #expect(TraceContext("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-09-extra")?.flags == 1)
    #expect(TraceContext("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-08")?.flags == 0)
  }

  @Test(
    arguments: [
      "", "00", usual + "-x", usual + " ", " " + usual, "ff" + usual.dropFirst(2), usual.uppercased(),
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-+0f067aa0ba902b7-01",
      "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
    ])
  func `A malformed value is rejected`(value: String) {
    #expect(TraceContext(value) == nil)
  }
}
