import XferEvents
import XferReport

extension LiveReport.News {
  /// Returns the answer to the page's question for news.
  func json(at time: WallTime) -> [UInt8] {
    var text = TextBuffer()
    text.appendJSON { json in
      json.beginObject()
      json.member("number", number)
      json.member("report", reportNumber)
      json.member("page", version)
      json.member("time", "\(time)")
      json.member("problem", problem)
      json.endObject()
    }
    return Array(text.bytes)
  }
}
