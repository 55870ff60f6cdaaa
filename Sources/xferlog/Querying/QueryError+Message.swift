package import XferPredicate
package import XferReading

extension QueryError: DescribedError {
  /// The error in four lines. The query and the words that the problem quotes break no line.
  package var message: UserMessage {
    let excerpt = placed.unicodeScalars.dropFirst(problem.unicodeScalars.count)
    return "\(problem)" + UserMessage(linesOf: String(String.UnicodeScalarView(excerpt))) + "\n\(advice)"
  }
}
