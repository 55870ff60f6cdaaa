#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The place of the bundled sample logs.
enum SampleDirectory {
  /// Finds the samples: `$XFERLOG_SAMPLES`, else `share/xferlog/samples` of the prefix in which the program is installed, else the folder
  /// `Samples` of the checkout in which the program was built.
  ///
  /// - Returns: an absolute path; `nil` if there are no samples.
  static func find(_ environment: [String: String]) -> String? {
    if let given = environment["XFERLOG_SAMPLES"] { return holdsSamples(given) ? absolute(given) : nil }
    guard let program = absolute("/proc/self/exe") ?? absolute(CommandLine.arguments.first ?? "") else { return nil }
    var directory = parent(of: program)
    let installed = parent(of: directory) + "/share/xferlog/samples"
    if holdsSamples(installed) { return installed }
    while !directory.isEmpty {
      if holdsSamples(directory + "/Samples") { return directory + "/Samples" }
      directory = parent(of: directory)
    }
    return nil
  }

  private static func holdsSamples(_ directory: String) -> Bool { access(directory + "/clean-run/log.xlog", R_OK) == 0 }

  private static func absolute(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
}
