/// The registered importers.
package enum Importers {
  /// The importers, one per line. The first one that recognises an input reads it.
  package static let all: [any EventImporter] = [
    EventLinesImporter(),
    AppleImporter(),
    HARImporter(),
    CurlImporter(),
    JournalImporter(),
    LogcatImporter(),
    NetLogImporter(),
    NetLogViewerImporter(),
    OTLPImporter(),
    PulseImporter(),
    QLogImporter(),
    FTPImporter(),
  ]
}
