package import ArgumentParser

/// A value of an option that has the names of its cases.
///
/// The parser lists the values of each option with a key path for each type, which the runtime must instantiate at every start. For the
/// options of `xferlog replay`, that is a fifteenth of the start. This list needs none.
package protocol ArgumentChoice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension ArgumentChoice {
  package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}
