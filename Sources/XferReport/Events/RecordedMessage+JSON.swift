import XferEvents
import XferPredicate

extension JSONText {
  /// Appends a message as an object with its text, its format, and its arguments with their types.
  mutating func message(_ message: RecordedMessage) {
    beginObject()
    member("message", message.text)
    key("format")
    if let format = message.format { string(format) } else { EventJSON.write(.unreadable, to: &self) }
    key("arguments")
    beginArray()
    for argument in message.arguments { write(argument) }
    endArray()
    endObject()
  }

  private mutating func write(_ argument: RecordedArgument) {
    beginObject()
    if let name = argument.name { member("name", name) }
    member("type", argument.kind.rawValue)
    key("value")
    switch argument.value {
    case .text(let text): EventJSON.write(.text(text), to: &self)
    case .signed(let number): integer(number)
    case .unsigned(let number): integer(number)
    case .double(let number):
      // JSON cannot represent infinities and NaN as numbers.
      if number.isFinite { self.number(number) } else { string("\(number)") }
    case .flag(let flag): boolean(flag)
    case .hashed(let hash, _): EventJSON.write(.text(.hashed(hash)), to: &self)
    case .redacted: EventJSON.write(.text(.redacted), to: &self)
    }
    endObject()
  }
}
