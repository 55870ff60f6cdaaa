import XferEvents

/// A source with further reasons why its inputs are incomplete, such as a truncated archive.
final class FlawedSource: EventSource {
  private let base: any EventSource
  private let flaws: [SourceIncompleteness]

  init(_ base: any EventSource, flaws: [SourceIncompleteness]) { (self.base, self.flaws) = (base, flaws) }

  var origins: [SourceOrigin] { base.origins }
  var unreadable: [UnreadablePart] { base.unreadable }
  var incompleteness: [SourceIncompleteness] { base.incompleteness + flaws }
  var figures: [SourceFigures] { base.figures }
  var remarks: [String] { base.remarks }
  var passedOver: Int { base.passedOver }
  var blocks: BlockCounts { base.blocks }

  func alterations() -> [SourceIncompleteness] { base.alterations() }
  func original(_ reference: EventReference) -> String? { base.original(reference) }
  func prepareQuotes(of references: [EventReference]) { base.prepareQuotes(of: references) }
  func next() -> LogMember? { base.next() }
  func fill(_ batch: inout EventBatch) -> Bool { base.fill(&batch) }
  func readingAhead(_ arrange: @escaping EventBatch.Arranging) -> (any EventBatches)? { base.readingAhead(arrange) }
}
