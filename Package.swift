// swift-tools-version: 6.2
import PackageDescription

// The platforms that libcurl, brotli, zstd and libyaml can be installed on. iOS has none of these libraries. A target that cannot be
// built without one of them is therefore not available on iOS: XferEngine, XferService, XferRules and all executables. Everything that an
// app needs to write a log is available there.
let desktop: [Platform] = [.macOS, .linux]

// Apple's privacy manifest for the libraries that an app links. It is a target of its own, because a resource makes its target load
// Foundation, and SwiftPM can restrict dependencies to platforms, but not resources.
let privacyManifest = Target.Dependency.target(
  name: "XferPrivacyManifest", condition: .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))

// Whether this is a build for the project's own checks. Only there are warnings errors: in other builds, a newer compiler or SDK may warn
// about more.
let isCheck = Context.environment["XFERLOG_CHECK_BUILD"]?.isEmpty == false

// The project's own checks compile without optimization, which takes half the time, except for these targets: tests read so many logs that
// optimized code saves more time than its compilation takes.
let optimizedInChecks: Set = [
  "XferThreads", "XferEvents", "XferLifecycle", "XferPredicate", "XferLogStore", "XferReplay", "XferImport", "XferDiagnosis",
]

let package = Package(
  name: "xferlog",
  // These are the minimum versions that support `Synchronization`.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "XferEvents", targets: ["XferEvents"]),
    .library(name: "XferLogStore", targets: ["XferLogStore"]),
    .library(name: "XferEngine", targets: ["XferEngine"]),
    .library(name: "XferRecorder", targets: ["XferRecorder"]),
    .library(name: "XferSwiftLog", targets: ["XferSwiftLog"]),
    .library(name: "XferPostmortem", targets: ["XferPostmortem"]),
    .library(name: "XferTesting", targets: ["XferTesting"]),
    .executable(name: "xferlog", targets: ["xferlog"]),
    .executable(name: "xfer", targets: ["xfer"]),
    .executable(name: "xferd", targets: ["xferd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // System libraries, and C code for functions that Swift cannot call directly.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "CCurlShims", dependencies: ["CCurl"]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    // libcurl, loaded only when it is needed.
    .target(name: "CCurlLoading"),
    .target(name: "CXferPlatform"),
    .target(name: "XferPrivacyManifest", resources: [.copy("PrivacyInfo.xcprivacy")]),

    // Digests and encryption by the system: CryptoKit, or OpenSSL where there is none.
    .target(name: "XferCrypto", dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))]),

    // Threads, and values that several of them use.
    .target(name: "XferThreads", dependencies: ["CXferPlatform"]),

    // The vocabulary and the targets built on it, in the order of the data flow.
    .target(name: "XferEvents"),
    .target(name: "XferLifecycle", dependencies: ["XferEvents"]),
    // The language in which queries and rules select events.
    .target(name: "XferPredicate", dependencies: ["XferEvents"]),
    .target(
      name: "XferLogStore",
      dependencies: [
        "XferEvents", "XferThreads", "XferCrypto", "CXferPlatform", .target(name: "CZstd", condition: .when(platforms: desktop)),
        privacyManifest,
      ]),
    // A thin wrapper of SQLite for the task database of the daemon and for the index.
    .target(name: "XferSQLite", dependencies: ["CSQLite"]),
    // A thin wrapper of libyaml for rules, scripts and scenarios.
    .target(name: "XferYAML", dependencies: ["CYAML"]),
    .target(
      name: "XferSwiftLog",
      dependencies: ["XferEvents", "XferLogStore", .product(name: "Logging", package: "swift-log")]),
    // Requires macOS or Linux.
    .target(
      name: "XferEngine",
      dependencies: [
        "XferEvents", "XferThreads", "XferCrypto", "CCurl", "CCurlShims", "CXferPlatform", "CZlib", "CBrotli", "CZstd",
        .product(name: "HTTPTypes", package: "swift-http-types"), privacyManifest,
      ]),
    .target(
      name: "XferService",
      dependencies: [
        "XferEvents", "XferThreads", "XferEngine", "XferCrypto", "XferSQLite", "CSQLite", "CXferPlatform",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    .target(name: "XferRecorder", dependencies: ["XferEvents", privacyManifest]),
    .target(name: "XferImport", dependencies: ["XferEvents", "XferThreads", "XferSQLite", "CXferPlatform"]),
    .target(
      name: "XferScript",
      dependencies: [
        "XferYAML",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .target(name: "XferReplay", dependencies: ["XferEvents", "XferLifecycle"]),
    .target(name: "XferDiagnosis", dependencies: ["XferEvents", "XferPredicate", "XferLifecycle", "XferReplay"]),
    .target(name: "XferRules", dependencies: ["XferEvents", "XferPredicate", "XferDiagnosis", "XferYAML"]),
    .target(
      name: "XferQuery", dependencies: ["XferEvents", "XferPredicate", "XferLifecycle", "XferReplay", "XferDiagnosis"]),
    .target(
      name: "XferReport",
      dependencies: ["XferEvents", "XferPredicate", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery"],
      exclude: ["Report/Page"]),
    .target(
      name: "XferIndex",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport", "XferSQLite", "CSQLite",
        "CXferPlatform",
      ]),

    // The HTTP server that shows a report while its log is being written. Requires macOS or Linux.
    .target(
      name: "XferServing",
      dependencies: [
        "XferEvents", "XferReport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),

    // What the reading tool and `XferPostmortem` share: inputs, unpacking, the replay of a log, and the report. Unlike all targets
    // above, it depends on both the log's files and the documents.
    .target(
      name: "XferReading",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferLogStore", "XferImport", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport",
        "XferRules", "XferYAML", "CXferPlatform", "CZlib",
      ]),

    // A replay for Swift programs.
    .target(
      name: "XferPostmortem",
      dependencies: [
        "XferEvents", "XferLogStore", "XferImport", "XferReplay", "XferDiagnosis", "XferRules", "XferReport", "XferReading",
        "CXferPlatform",
      ]),

    // A trait of Swift Testing and a method for XCTest. Only test targets can depend on it.
    .target(name: "XferTesting", dependencies: ["XferEvents", "XferLogStore", "XferPostmortem", "XferReading", "CXferPlatform"]),

    // Only executables and the libraries for tests depend on both the writing and the reading targets.
    .executableTarget(
      name: "xferlog",
      dependencies: [
        "XferEvents", "XferPredicate", "XferLifecycle", "XferLogStore", "XferImport", "XferReplay", "XferDiagnosis", "XferQuery",
        "XferReport", "XferServing", "XferReading", "XferIndex", "XferSQLite", "XferRules", "XferYAML", "CCurlLoading",
        "CXferPlatform", "CZlib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "xfer",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine", "XferReport", "XferScript", "XferCrypto", "CXferPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    .executableTarget(
      name: "xferd",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferLogStore", "XferReplay", "XferEngine", "XferService", "CXferPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["systemd"]),
    .executableTarget(
      name: "xferlog-dev",
      dependencies: [
        "XferEvents", "XferCrypto", "XferLogStore", "XferDiagnosis", "XferReport", "XferScript",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Code shared by tests, and a log writer that tests may kill.
    .target(name: "CLogTestSupport", path: "Tests/Support/CLogTestSupport"),
    .target(
      name: "LogTestSupport", dependencies: ["CLogTestSupport", "CXferPlatform", "XferEvents"],
      path: "Tests/Support/LogTestSupport"),
    .executableTarget(
      name: "log-writer-probe",
      dependencies: ["XferEvents", "XferLogStore", "CXferPlatform", "CLogTestSupport", "LogTestSupport"],
      path: "Tests/Support/log-writer-probe"),
    // Writes the logs of many devices for the campaign of `Tests/Fleet`.
    .executableTarget(
      name: "fleet-log-writer", dependencies: ["XferEvents", "XferLogStore", "XferThreads", "LogTestSupport"],
      path: "Tests/Support/fleet-log-writer"),
    // A log reader for tests with damaged input, which may trap.
    .executableTarget(
      name: "log-reader-probe",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferLogStore", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport", "LogTestSupport",
      ],
      path: "Tests/Support/log-reader-probe"),

    // A program for tests that stores responses in a cache until it is killed.
    .executableTarget(
      name: "cache-writer-probe",
      dependencies: ["XferEngine", "XferEvents", .product(name: "HTTPTypes", package: "swift-http-types")],
      path: "Tests/Support/cache-writer-probe"),

    // A program that counts the heap allocations of event emission.
    .target(name: "CAllocationCount", path: "Tests/Support/CAllocationCount"),
    .executableTarget(
      name: "allocation-probe", dependencies: ["XferEvents", "XferLogStore", "CAllocationCount"],
      path: "Tests/Support/allocation-probe"),

    // Test programs that run transfers and report their use of memory and descriptors.
    .executableTarget(
      name: "background-probe",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/Support/background-probe"),
    .executableTarget(
      name: "lifecycle-probe",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine", "LogTestSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/Support/lifecycle-probe"),
    .executableTarget(
      name: "engine-probe",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/Support/engine-probe"),

    // The program of the article "Quick start", the Kettle sample app, and the recorder of the sample logs.
    .executableTarget(
      name: "quick-start", dependencies: ["XferEvents", "XferLogStore", "XferEngine"], path: "Samples/QuickStart"),
    .executableTarget(
      name: "kettle",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Samples/Kettle", exclude: ["README.md", "Scenarios"]),
    .executableTarget(
      name: "sample-recorder",
      dependencies: [
        "XferEvents", "XferLogStore", "XferEngine", "XferScript", "LogTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Samples/Recorder"),

    // A target without code. SwiftPM builds one product or target at a time, and this one needs all programs that `Samples/demo` runs.
    .target(
      name: "DemoPrograms", dependencies: ["sample-recorder", "kettle", "xferlog", "xfer", "xferd"], path: "Samples/DemoPrograms"),

    .testTarget(name: "ArchitectureTests", exclude: ["TrapReview.txt"]),
    .testTarget(
      name: "XferDiagnosisTests",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport", "XferRules", "XferYAML",
        "LogTestSupport",
      ]),
    .testTarget(
      name: "XferEngineTests",
      dependencies: [
        "XferEvents", "XferLifecycle", "XferEngine", "XferScript", "XferReplay", "XferDiagnosis", "LogTestSupport", "CZlib",
        "CZstd",
        "cache-writer-probe", "engine-probe",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    .testTarget(
      name: "XferRecorderTests",
      dependencies: ["xferlog", "XferEvents", "XferLogStore", "XferRecorder", "XferScript", "LogTestSupport"]),
    .testTarget(
      name: "XferScriptTests",
      dependencies: [
        "XferScript",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "XferPredicateTests",
      dependencies: [
        "xferlog", "XferDiagnosis", "XferEvents", "XferLifecycle", "XferLogStore", "XferPredicate", "XferQuery",
        "LogTestSupport",
      ]),
    .testTarget(name: "XferCryptoTests", dependencies: ["XferCrypto"]),
    .testTarget(name: "XferEventsTests", dependencies: ["XferEvents", "CXferPlatform", "LogTestSupport"]),
    .testTarget(
      name: "XferLogStoreTests",
      dependencies: [
        "XferEvents", "XferLogStore", "CXferPlatform", "LogTestSupport", "log-writer-probe", "log-reader-probe",
        "allocation-probe", "xferlog", "XferCrypto", "XferThreads",
      ]),
    .testTarget(name: "XferSQLiteTests", dependencies: ["XferSQLite", "CSQLite", "LogTestSupport"]),
    .testTarget(
      name: "XferSwiftLogTests",
      dependencies: [
        "XferEvents", "XferLogStore", "XferSwiftLog", "LogTestSupport", .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "XferTests",
      dependencies: ["xfer", "xferd", "xferlog", "XferEvents", "XferLogStore", "XferScript", "LogTestSupport", "CXferPlatform"]),
    .testTarget(
      name: "XferServiceTests",
      dependencies: [
        "XferService", "XferEngine", "XferEvents", "XferLogStore", "XferScript", "XferCrypto", "XferSQLite", "XferDiagnosis",
        "CXferPlatform",
        "LogTestSupport", "background-probe", "lifecycle-probe", "kettle", "xferd", "xfer", "xferlog",
      ], exclude: ["FaultScenarios"]),
    .testTarget(
      name: "XferlogTests",
      dependencies: [
        "xferlog", "xfer", "xferd", "xferlog-dev", "XferDiagnosis", "XferEvents", "XferImport", "XferLifecycle", "XferLogStore",
        "XferPredicate", "XferReplay",
        "XferReading", "XferReport", "XferServing", "LogTestSupport", "log-writer-probe",
      ], exclude: ["Snapshots"]),
    .testTarget(
      name: "XferTestingTests",
      dependencies: [
        "XferTesting", "XferPostmortem", "XferEngine", "XferEvents", "XferLogStore", "XferScript", "LogTestSupport", "xferlog",
        "log-writer-probe",
      ]),
    .testTarget(
      name: "CurlCaseTests",
      dependencies: [
        "xfer", "XferScript", "LogTestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "PrivacyTests",
      dependencies: [
        "xfer", "xferlog", "XferEngine", "XferEvents", "XferLogStore", "XferScript", "XferSwiftLog", "LogTestSupport", "CZstd",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "SamplesTests",
      dependencies: [
        "sample-recorder", "kettle", "quick-start", "xferlog", "xfer", "xferd", "XferEvents", "XferLogStore", "XferReplay",
        "XferDiagnosis", "XferReading", "XferReport", "XferScript", "LogTestSupport", "XferYAML",
      ]),
  ]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if isCheck { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
  if isCheck, optimizedInChecks.contains(target.name) {
    // `-Xfrontend` puts the flag after the `-Onone` of the command line. The compiler uses the last one.
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O"]))
  }
}
