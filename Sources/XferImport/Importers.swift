/// The registered importers.
package enum Importers {
  /// The importers in the order in which they are asked whether they recognise an input. One line per importer.
  package static let all: [any EventImporter] = []
}
