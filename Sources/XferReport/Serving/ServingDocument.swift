/// The address of a served report.
package struct ServingDocument: Sendable {
  package let url: String
  package let port: Int
  package let pid: Int32

  package init(url: String, port: Int, pid: Int32) { (self.url, self.port, self.pid) = (url, port, pid) }

  /// The fields of the document `xferlog.serve/1`.
  static let object = DocumentObject<ServingDocument>("serve", "The address of a served report.") { fields in
    fields.schema("xferlog.serve/1")
    fields.text("url", "Address to open, with the token.") { $0.url }
    fields.integer("port", "Port of 127.0.0.1.") { $0.port }
    fields.integer("pid", "Process id of the server. SIGTERM ends it.") { $0.pid }
  }

  /// Writes the document `xferlog.serve/1`.
  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }
}
