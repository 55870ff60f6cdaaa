package import XferQuery

/// A log in figures, ready to be shown.
package struct StatisticsDocument: FiguresDocument {
  package let statistics: Statistics
  package let inputs: [ReplayDocument.Input]
  /// Why the log does not tell the whole story; empty when it does.
  package let incompleteness: [String]

  package init(_ statistics: Statistics, inputs: [ReplayDocument.Input], incompleteness: [String]) {
    self.statistics = statistics
    self.inputs = inputs
    self.incompleteness = incompleteness
  }
}
