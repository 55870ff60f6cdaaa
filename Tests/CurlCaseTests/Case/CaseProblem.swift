/// Why a case cannot be read.
struct CaseProblem: Error, CustomStringConvertible, Equatable {
  let description: String

  init(_ description: String) { self.description = description }
}
