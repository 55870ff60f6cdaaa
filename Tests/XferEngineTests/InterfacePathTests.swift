import Foundation
import Testing

@testable import XferEngine

/// Tests of the kernel's reports about network interfaces. They change interfaces, so they run only in a separate network
/// namespace: `unshare -rn sh -c "ip link set lo up; swift test --skip-build --filter InterfacePathTests"`.
@Suite(.enabled(if: hasSeparateNetwork, "requires a separate network namespace"))
struct InterfacePathTests {
  private func ip(_ words: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ip"] + words.split(separator: " ").map(String.init)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "ip \(words)")
  }

  /// Returns when the path has become satisfied or unsatisfied, as requested.
  private func wait(_ isSatisfied: Bool, _ path: InterfacePath, _ changes: AsyncStream<Void>) async {
    for await _ in changes where path.path.isSatisfied == isSatisfied { return }
  }

  @Test(.timeLimit(.minutes(1))) func `A network interface that goes up and down changes the path`() async throws {
    let path = InterfacePath()
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let observation = path.onChange { continuation.yield() }
    #expect(!path.path.isSatisfied)
    #expect(path.path(to: "127.0.0.1").isSatisfied)
    try ip("link add name test0 type veth peer name test1")
    try ip("addr add 192.0.2.9/24 dev test0")
    for name in ["test0", "test1"] { try ip("link set \(name) up") }
    await wait(true, path, changes)
    #expect(path.path == .satisfied)
    try ip("link set test0 down")
    await wait(false, path, changes)
    #expect(path.path == .unsatisfied)
    try ip("link del test0")
    withExtendedLifetime(observation) {}
  }
}

/// Whether the test runs in a network namespace that has only the loopback interface.
private let hasSeparateNetwork = !InterfacePath().path.isSatisfied && geteuid() == 0
