import XferEvents

/// Sentences of findings in a form that may be passed on.
enum ReportSentence {
  /// Returns a sentence about a finding without the URLs that an app used as names. A log that is not in the mode `full` has none.
  static func withoutURLs(_ sentence: String) -> String {
    guard LoggedURL.isWithin(sentence) else { return sentence }
    return sentence.split(separator: " ", omittingEmptySubsequences: false)
      .map { LoggedURL.isWithin(String($0)) ? "<private>" : String($0) }.joined(separator: " ")
  }
}
