import Testing
import XferReplay

@testable import XferDiagnosis

struct DeadlineQueueTests {
  @Test func `Answered questions are removed, and the others are returned in the order of their deadlines`() {
    var queue = DeadlineQueue<Question>()
    #expect(!queue.isCrowded)
    for place in 0..<2000 { queue.add(.init(rule: 0, subject: .task(place)), at: Int64((place * 37) % 2000)) }
    #expect(queue.isCrowded)
    queue.keep { if case .task(let place) = $0.subject { place.isMultiple(of: 100) } else { false } }
    #expect(!queue.isCrowded)
    var taken: [Int] = []
    while let question = queue.take(upTo: .max) { if case .task(let place) = question.subject { taken.append(place) } }
    #expect(taken == (0..<20).map { $0 * 100 }.sorted { ($0 * 37) % 2000 < ($1 * 37) % 2000 })
  }
}
