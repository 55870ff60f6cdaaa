import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// The name of the operating system in logs.
struct SystemVersionTests {
  #if os(Linux)
    @Test(arguments: [
      ("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n", "Debian GNU/Linux 12 (bookworm)"),
      ("PRETTY_NAME='A b'\n", "A b"), ("PRETTY_NAME=Plain", "Plain"), ("PRETTY_NAME=\n", nil), ("NAME=x\n", nil), ("", nil),
      ("PRETTY_NAME=\"\(String(repeating: "x", count: 300))\"\n", nil), ("PRETTY_NAME=\"", "\""),
    ])
    func `The name of the system is read from os-release`(_ text: String, _ expected: String?) throws {
      let directory = TemporaryDirectory()
      let path = try directory.write(Array(text.utf8), to: "os-release")
      #expect(LogConfiguration.systemVersion(at: path) == expected)
    }
  #endif

  @Test func `A missing file gives no name`() { #expect(LogConfiguration.systemVersion(at: "/nowhere/os-release") == nil) }

  @Test(arguments: ["Example OS 1.2", nil])
  func `A log names the configured system`(_ name: String?) throws {
    let test = TestLog()
    try test.open { $0.osVersion = name }.close()
    let started = try #require(LogContents([.directory(test.directory)]).events(.processStarted).first)
    #expect(started.osVersion == name)
  }
}
