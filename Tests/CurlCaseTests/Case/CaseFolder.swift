import Foundation

/// A folder of curl's test cases, one in each file `testNUMBER`.
struct CaseFolder: Sendable {
  let path: String
  /// Ascending.
  let numbers: [Int]

  /// What the environment names; `nil` when it names none, and the suite does not run.
  static let given: CaseFolder? = ProcessInfo.processInfo.environment["XFERLOG_CURL_CASES"].map(CaseFolder.init)

  init(path: String) {
    self.path = path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    numbers = names.compactMap { $0.hasPrefix("test") ? Int($0.dropFirst(4)) : nil }.sorted()
  }

  func source(_ number: Int) -> [UInt8] { Array(FileManager.default.contents(atPath: "\(path)/test\(number)") ?? Data()) }

  /// - Parameter variables: what the case's surroundings are called; its number is added.
  func load(_ number: Int, _ variables: [String: String]) throws(CaseProblem) -> CurlCase {
    var macros = CaseMacros(variables: variables)
    macros.variables["TESTNUMBER"] = "\(number)"
    macros.includes = path
    return try CurlCase(number: number, CaseDocument(macros.expand(source(number))))
  }
}
