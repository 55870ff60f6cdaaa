/// Figures that can be written as text, as a JSON document and as CSV.
package protocol FiguresDocument {
  func write(to text: inout TextBuffer)
  func writeJSON(to json: inout JSONText)
  func writeCSV(to text: inout TextBuffer)
}
