import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RepositoryRoot {
  /// The variables in which CI services tell the directory of the checkout: GitHub, GitLab, Azure, Buildkite and Jenkins.
  private static let variables = [
    "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "BUILDKITE_BUILD_CHECKOUT_PATH", "WORKSPACE",
  ]

  /// Returns the checkout that contains the working directory, or else the working directory.
  static func current(_ environment: [String: String]) -> RepositoryRoot {
    let working = workingDirectory
    let root = variables.lazy.compactMap { environment[$0] }.first { root in
      root.hasPrefix("/") && RepositoryRoot(root: root, workingDirectory: working).contains("x")
    }
    return RepositoryRoot(root: root ?? working, workingDirectory: working)
  }

  private static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the place that the value of `--anchor` names.
  func place(anchor text: String) throws -> RepositoryPlace {
    var (file, line): (Substring, Int?) = (text[...], nil)
    if let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]) {
      (file, line) = (text[..<colon], number)
    }
    guard !file.isEmpty, line.map({ $0 > 0 }) ?? true, contains(String(file)) else {
      throw CommandExit(
        .wrongUsage, "--anchor \(text) is not a file of the repository; write a path below the checkout, such as Tests/run.sh:12")
    }
    return RepositoryPlace(file: relative(String(file)), line: line)
  }
}
