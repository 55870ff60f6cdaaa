// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the libraries do not have to resolve the dependencies of the benchmarks.
let package = Package(
  name: "xferlog-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "xferlog", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(name: "CBenchmark"),
    .executableTarget(
      name: "EmissionBenchmark",
      dependencies: [
        "CBenchmark",
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "LoggerBenchmark",
      dependencies: [
        "CBenchmark",
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
      ]),
    .executableTarget(
      name: "ReplayBenchmark",
      dependencies: [
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
      ]),
  ]
)
