import LogTestSupport
import Synchronization
import Testing

@testable import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct LogDirectoryTests {
  /// Returns the paths that are tried when only some directories exist, and the error value.
  private func attempts(_ path: String, existing: Set<String>, denied: Set<String> = []) -> (tried: [String], problem: Int32) {
    var (tried, existing): ([String], Set<String>) = ([], existing)
    let problem = LogDirectory.createWithParents(path) { path in
      tried.append(path)
      if denied.contains(path) { return EPERM }
      if existing.contains(path) { return 0 }
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      guard parent.isEmpty || existing.contains("/\(parent)") else { return ENOENT }
      existing.insert(path)
      return 0
    }
    return (tried, problem)
  }

  @Test func `The parents of a directory are not examined if it can be created`() {
    let (tried, problem) = attempts("/var/mobile/log", existing: ["/var", "/var/mobile"], denied: ["/var", "/var/mobile"])
    #expect(tried == ["/var/mobile/log"])
    #expect(problem == 0)
  }

  @Test func `Missing parents are created from the lowest existing one`() {
    let (tried, problem) = attempts("/app/a/b/c", existing: ["/app"])
    #expect(tried == ["/app/a/b/c", "/app/a/b", "/app/a", "/app/a/b", "/app/a/b/c"])
    #expect(problem == 0)
  }

  @Test func `A parent that cannot be created fails with its error`() {
    let (tried, problem) = attempts("/app/a/b", existing: ["/app"], denied: ["/app/a"])
    #expect(tried == ["/app/a/b", "/app/a"])
    #expect(problem == EPERM)
  }

  @Test(arguments: ["a/b/c.xlog", "a//b/c.xlog/", "c.xlog"])
  func `New directories are private to their owner`(_ name: String) throws {
    let directory = TemporaryDirectory()
    try LogDirectory.create(directory.path(name))
    var path = directory.path
    for part in name.split(separator: "/") {
      path += "/\(part)"
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o700, "\(path)")
    }
  }
}
