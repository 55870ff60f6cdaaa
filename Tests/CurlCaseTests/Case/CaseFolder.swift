import Foundation
import LogTestSupport

/// A folder of curl's test cases, with one file `testNUMBER` per case.
struct CaseFolder: Sendable {
  let path: String
  /// The case numbers in ascending order.
  let numbers: [Int]

  /// The folder that the environment variable names. `nil` when it is not set; the suite is then skipped.
  static let given: CaseFolder? = testVariable("XFERLOG_CURL_CASES").map(CaseFolder.init)

  init(path: String) {
    self.path = path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    numbers = names.compactMap { $0.hasPrefix("test") ? Int($0.dropFirst(4)) : nil }.sorted()
  }

  func source(_ number: Int) -> [UInt8] { Array(FileManager.default.contents(atPath: "\(path)/test\(number)") ?? Data()) }

  /// Reads a case and expands its macros.
  ///
  /// - Parameter variables: the values of macro variables, to which the case number is added.
  func load(_ number: Int, _ variables: [String: String]) throws(CaseProblem) -> CurlCase {
    var macros = CaseMacros(variables: variables)
    macros.variables["TESTNUMBER"] = "\(number)"
    macros.includes = path
    return try CurlCase(number: number, CaseDocument(macros.expand(source(number))))
  }
}
