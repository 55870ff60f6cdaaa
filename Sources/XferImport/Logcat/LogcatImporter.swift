package import XferEvents

/// Reads Android's log as `adb logcat` and Android Studio print it.
package struct LogcatImporter: EventImporter {
  package let format = "logcat"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var (lines, records) = (0, 0)
      for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
        let text = UnsafeRawBufferPointer(rebasing: part).withoutReturn
        if LogcatLine.isDivider(text) { return true }
        if LogcatLine.isStack(text) { continue }
        lines += 1
        if LogcatLine.pasted(text) != nil { records += 1 }
      }
      // The head of a file may end within a line, and messages may have several lines.
      return records > 0 && records * 2 >= lines
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { LogcatReader($0) }
  }
}
