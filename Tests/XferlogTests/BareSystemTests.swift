import Foundation
import LogTestSupport
import Testing

/// Release programs in the root of a Debian system that has never seen Swift. Building them takes minutes, so the test is a part of the
/// campaign. It needs root, because it changes the root directory. Programs in `$XFERLOG_BIN` are installed without being built.
@Suite struct BareSystemTests {
  /// The packages that `Samples/install` names.
  private static let packages =
    "libcurl4,libssl3,libsqlite3-0,libzstd1,zlib1g,libbrotli1,libyaml-0-2,libstdc++6,ca-certificates"

  @Test(.enabled(if: isCampaign && geteuid() == 0))
  func `Installed programs run on a bare Debian system`() throws {
    let folder = TemporaryDirectory()
    let root = folder.path("root")
    let environment = ["PATH": "/opt/swift/usr/bin:\(testVariable("PATH") ?? ""):/usr/sbin:/usr/bin:/sbin:/bin", "DESTDIR": root]
      .merging(["HOME", "XFERLOG_BIN"].compactMap { name in testVariable(name).map { (name, $0) } }) { $1 }
    let system = try ToolRun(
      "/bin/bash", ["-c", "debootstrap --variant=minbase --include=\(Self.packages) bookworm \(root) >&2"],
      environment: environment)
    try #require(system.status == 0, "\(system.standardError.suffix(2000))")
    let install = try ToolRun(ToolRun.checkout + "/Samples/install", ["--prefix", "/usr/local"], environment: environment)
    try #require(install.status == 0, "\(install.text.suffix(2000))\(install.standardError.suffix(2000))")

    func inside(_ command: String) throws -> ToolRun {
      // Swift programs read their arguments from /proc, which is mounted for the time of the command.
      try ToolRun(
        "/usr/bin/unshare",
        [
          "--mount", "--pid", "--fork", "--kill-child", "--mount-proc=\(root)/proc", "/usr/sbin/chroot", root, "/bin/bash", "-c",
          command,
        ],
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root"])
    }
    #expect(try inside("command -v swift || ls -d /usr/lib/swift /opt/swift").status != 0)
    for program in ["xferlog", "xfer", "xferd"] {
      #expect(try inside("\(program) --version").status == 0)
      let libraries = try inside("ldd /usr/local/bin/\(program)").text
      #expect(
        !libraries.contains("libswift") && !libraries.contains("libFoundation") && !libraries.contains("not found"),
        "\(libraries)")
      let isSelfContained = !["libcrypto", "libsqlite3", "libzstd", "libz.", "libyaml", "libstdc++"].contains(
        where: libraries.contains)
      #expect(isSelfContained == (program == "xferlog"), "\(libraries)")
      let size = try FileManager.default.attributesOfItem(atPath: "\(root)/usr/local/bin/\(program)")[.size] as? Int ?? 0
      print("\(program): \(size >> 20) MiB")
    }
    let samples = "/usr/local/share/xferlog/samples"
    let replay = try inside("xferlog replay \(samples)/killed-before-delivery/log.xlog")
    #expect(replay.status == 1 && replay.text.contains("lost-completion (certain)"), "\(replay.standardError)")
    #expect(try inside("xferlog replay \(samples)/clean-run/log.xlog").status == 0)
    let tutorial = try inside("xferlog tutorial")
    #expect(tutorial.status == 0 && tutorial.text.contains("verdict: clean"), "\(tutorial.standardError)")
    // A transfer, whose log is replayed.
    let transfer = try inside(
      """
      cd /root
      printf 'routes:\\n  - path: /a\\n    respond: { body: { size: 1000000 } }\\n' >script.yaml
      xfer serve script.yaml >url &
      until [ -s url ]; do :; done
      xfer get -o a "$(head -n 1 url)/a" && xferlog replay
      code=$?
      kill %1
      wc -c <a
      exit $code
      """)
    #expect(transfer.status == 0 && transfer.lines.last == "1000000", "\(transfer.text)\(transfer.standardError)")
    let completion = try inside(
      """
      source /usr/local/share/bash-completion/completions/xferlog
      COMP_WORDS=(xferlog rules explain lost-comp) COMP_CWORD=3
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _xferlog xferlog lost-comp explain
      printf '<%s>' "${COMPREPLY[@]}"
      """)
    #expect(completion.text == "<lost-completion>", "\(completion.standardError)")
  }
}
