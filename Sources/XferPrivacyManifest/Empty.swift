// This target consists of the privacy manifest. SwiftPM requires a source file.
