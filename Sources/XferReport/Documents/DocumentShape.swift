package import XferEvents

/// The shape of a JSON value in a document, from which its schema and its documentation are generated.
package indirect enum DocumentShape: Sendable {
  case text(DocumentText)
  case integer
  case boolean
  /// The same text in every document.
  case constant(String)
  /// One of these words.
  case choice([String])
  /// The name of a case of the vocabulary's choice (enumeration) with this name, or `unknown(NUMBER)` for a case of a newer version.
  case vocabulary(String)
  case object(DocumentDescription)
  case list(DocumentShape)
  /// One of several shapes.
  case either([DocumentShape])
  /// The fields of an event, which depend on the event's name.
  case eventFields
  /// An object with a text, a number, a Boolean or null for the key of each column of the same document.
  case row
  /// The value of an event's field of this type.
  case eventValue(FieldType)
}

/// The forms of text in documents.
package enum DocumentText: String, Sendable, CaseIterable {
  case string
  /// A UUID in lowercase hexadecimal digits.
  case uuid
  /// An RFC 3339 time in UTC with nine fractional digits.
  case time
  /// Monotonic nanoseconds as decimal digits, because many JSON parsers keep only 53 bits of a number.
  case nanoseconds
  /// A 64-bit number as decimal digits.
  case identifier

  /// The regular expression that the text must match. `nil` allows any text.
  package var pattern: String? {
    switch self {
    case .string: nil
    case .uuid: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
    case .time: "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9}Z$"
    case .nanoseconds: "^-?[0-9]{1,19}$"
    case .identifier: "^[0-9]{1,20}$"
    }
  }
}

/// The unit of a number.
package enum DocumentUnit: String, Sendable {
  case nanoseconds, bytes

  /// The suffix of the names of CSV columns in this unit.
  var columnSuffix: String { self == .nanoseconds ? "_ns" : "" }
}

/// The name, summary and fields of a JSON object, without the code that writes them.
package struct DocumentDescription: Sendable {
  /// The name of the object's definition in schemas and of its section in the documentation.
  package let name: String
  package let summary: String
  package let fields: [Field]

  package struct Field: Sendable {
    package let name: String
    package let shape: DocumentShape
    package let unit: DocumentUnit?
    package let summary: String
    package let presence: DocumentPresence
  }
}

/// Whether a field always has a value.
package enum DocumentPresence: Sendable {
  case always
  /// The field is `null` when there is no value.
  case nullable
  /// The field is omitted when there is no value.
  case omitted
}
