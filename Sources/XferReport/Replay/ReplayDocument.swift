package import XferDiagnosis
import XferEvents
package import XferLifecycle
import XferReplay

/// What a replay found, ready to be shown: verdict, lifecycles, findings, and what could not be known.
package struct ReplayDocument {
  package let diagnosis: Diagnosis
  package let tasks: [TaskLifecycle]
  package let inputs: [Input]
  package let exitCode: Int32

  /// One log that was named.
  package struct Input {
    package let path: String
    package let format: String
    package let error: String?

    package init(path: String, format: String, error: String? = nil) {
      self.path = path
      self.format = format
      self.error = error
    }
  }

  package init(diagnosis: Diagnosis, tasks: [TaskLifecycle], inputs: [Input], exitCode: Int32) {
    self.diagnosis = diagnosis
    self.tasks = tasks
    self.inputs = inputs
    self.exitCode = exitCode
  }

  package enum Verdict: String {
    case clean, findings, incomplete
    case nothingAnalysed = "nothing-analysed"
  }

  package var verdict: Verdict {
    if diagnosis.replay.counts.events == 0 { return .nothingAnalysed }
    if diagnosis.findings.contains(where: \.counts) { return .findings }
    return diagnosis.incompleteness.isEmpty ? .clean : .incomplete
  }
}
