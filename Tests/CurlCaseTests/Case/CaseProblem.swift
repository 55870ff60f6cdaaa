/// The reason why a case cannot be read or run.
struct CaseProblem: Error, CustomStringConvertible, Equatable {
  let description: String

  init(_ description: String) { self.description = description }
}
