package import XferQuery

/// The statistics of a log, and its inputs.
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
