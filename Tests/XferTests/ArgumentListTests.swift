import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the argument list in `/proc/PID/cmdline`, which every user of the machine can read.
struct ArgumentListTests {
  private static let commands: [(name: String, arguments: [String], shown: [String])] = [
    ("user", ["get", "-u", "mole:s3cret", "URL"], ["-u"]),
    ("user, joined", ["get", "-umole:s3cret", "URL"], ["-u"]),
    ("user, after flags", ["request", "-sSu", "mole:s3cret", "URL"], ["-sSu"]),
    ("user, long", ["get", "--user", "mole:s3cret", "URL"], ["--user"]),
    ("user, with =", ["get", "--user=mole:s3cret", "URL"], ["--user="]),
    ("proxy's user", ["get", "--noproxy", "*", "-x", "http://mole:s3cret@host:1", "-U", "mole:s3cret", "URL"], ["@host:1"]),
    ("fields", ["get", "-H", "Authorization: Bearer s3cret", "--header=X-Key: s3cret", "URL"], ["-H"]),
    ("cookies", ["get", "-b", "session=s3cret", "URL"], ["-b"]),
    ("data", ["request", "-d", "password=s3cret", "--json", "{\"a\": \"s3cret\"}", "URL"], ["--json"]),
    ("a form", ["request", "-F", "password=s3cret", "URL"], ["-F"]),
    ("a key's password", ["get", "-E", "file:s3cret", "--pass", "s3cret", "URL"], ["--pass"]),
    ("a URL's user", ["get", "http://mole:s3cret@HOST/f"], ["http://", "HOST/f"]),
    ("a URL's query", ["get", "--url", "URL?token=s3cret&a=b"], ["/f?*"]),
    ("a URL after --", ["get", "-s", "--", "URL?token=s3cret"], ["/f?*"]),
    ("a word that looks like an option", ["get", "-A", "-u", "-umole:s3cret", "URL"], ["-A"]),
  ]

  @Test(arguments: commands.indices)
  func `Secrets are hidden from the argument list while the command runs`(index: Int) async throws {
    let (name, arguments, shown) = Self.commands[index]
    try await Bench.run([.init("/f", .hang(.beforeStatus))]) { bench in
      let host = bench.url("").replacingOccurrences(of: "http://", with: "")
      let words = arguments.map {
        $0.replacingOccurrences(of: "URL", with: bench.url("/f")).replacingOccurrences(of: "HOST", with: host)
      }
      let process = ToolRun.process("xfer", words, environment: bench.environment, in: bench.path("work"))
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      while process.isRunning, bench.server.requests.isEmpty { usleep(1000) }
      let list = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/cmdline") ?? Data()
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()

      let text = String(decoding: list, as: UTF8.self)
      #expect(!bench.server.requests.isEmpty, "\(name): the command has sent a request")
      #expect(!text.contains("s3cret") && !text.contains("mole"), "\(name): \(text)")
      for word in shown {
        #expect(text.contains(word.replacingOccurrences(of: "HOST", with: host)), "\(name): \(text)")
      }
    }
  }

  @Test
  func `The server receives the values hidden from the argument list`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: "body"))]) { bench in
      let run = try bench.get("-u", "mole:s3cret", "-H", "X-Key: k3y", bench.url("/f?token=t0ken"))
      #expect(run.status == 0, "\(run.standardError)")
      let request = try #require(bench.server.requests.first)
      #expect(request.headers["Authorization"] == "Basic bW9sZTpzM2NyZXQ=" && request.headers["X-Key"] == "k3y")
      #expect(request.target == "/f?token=t0ken")
    }
  }
}
