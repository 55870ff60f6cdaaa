package import XferQuery

/// The figures of a log with its inputs.
package struct StatisticsDocument: FiguresDocument {
  package let statistics: Statistics
  package let inputs: [ReplayDocument.Input]
  /// The reasons why the log is incomplete; empty for a complete log.
  package let incompleteness: [String]

  package init(_ statistics: Statistics, inputs: [ReplayDocument.Input], incompleteness: [String]) {
    self.statistics = statistics
    self.inputs = inputs
    self.incompleteness = incompleteness
  }
}
