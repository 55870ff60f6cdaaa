import Foundation
import LogTestSupport

/// A running `xferlog tail -f`, read line by line. Reading blocks until a line arrives.
final class Follower {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private var received: [String] = []
  private var partial: [UInt8] = []
  private var remarked: [UInt8] = []

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: ToolRun.tool)
    process.arguments = arguments
    process.environment = ToolRun.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Returns all lines so far as soon as they satisfy a condition or the output has ended.
  func lines(until isEnough: ([String]) -> Bool) -> [String] {
    while !isEnough(received) {
      let more = bytes(from: output)
      if more.isEmpty { break }
      take(more)
    }
    return received
  }

  /// Waits for the end of the output and returns all lines.
  func rest() -> [String] {
    let all = lines { _ in false }
    process.waitUntilExit()
    return all
  }

  /// The first line of standard error.
  func remark() -> String {
    var text: [UInt8] = []
    while !text.contains(10) {
      let more = bytes(from: errors)
      if more.isEmpty { break }
      text += more
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the text on standard error so far as soon as it satisfies a condition or has ended.
  func remarks(until isEnough: (String) -> Bool) -> String {
    while !isEnough(String(decoding: remarked, as: UTF8.self)) {
      let more = bytes(from: errors)
      if more.isEmpty { break }
      remarked += more
    }
    return String(decoding: remarked, as: UTF8.self)
  }

  func interrupt() { kill(process.processIdentifier, SIGINT) }
  func end() { kill(process.processIdentifier, SIGTERM) }

  var status: Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Returns the available bytes, waiting for the first one. (`FileHandle` would wait for all requested bytes.) A tool that prints
  /// nothing for 30 seconds is ended, so that its test fails instead of hanging.
  private func bytes(from pipe: Pipe) -> [UInt8] {
    var entry = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, 30_000) <= 0 { process.terminate() }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(pipe.fileHandleForReading.fileDescriptor, buffer.baseAddress, buffer.count))
    }
  }

  private func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == 10 {
        received.append(String(decoding: partial, as: UTF8.self))
        partial = []
      } else {
        partial.append(byte)
      }
    }
  }
}
