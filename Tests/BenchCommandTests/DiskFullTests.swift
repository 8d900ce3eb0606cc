import Foundation
import Testing

/// Disks without room: what is there stays, and an error says so.
@Suite(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed)) struct DiskFullTests {
  /// 2 MB are left: three clips take 0.2 MB in the store and its journal, a hundred 6.
  @Test func anImportThatDoesNotFit() throws {
    let workspace = try StoreFaultTests.project()
    let clips = (0..<100).map { SquatClip(name: "clip\($0)", subject: "anna", squats: [SquatClip.deep]) }
    try workspace.add(SquatClip.dataset("many", clips), in: "incoming")
    let outcome = try workspace.shell(
      MountNamespace.disk(".formbench", size: "32m")
        + """
        head -c 30M /dev/zero >.formbench/others || exit 99
        $bench dataset list >../before
        $bench dataset import folder --from incoming/many; code=$?
        $bench dataset list >../after || exit 98
        rm .formbench/others
        $bench dataset list >../with-room && cmp ../before ../after && cmp ../before ../with-room || exit 97
        $bench replay mine/cleo_1 >../replayed || exit 96
        $bench dataset import folder --from incoming/many >../imported || exit 95
        exit $code
        """, wrapper: MountNamespace.wrapper)
    outcome.expectFailure(
      1, ".formbench/store.sqlite: the disk is full; nothing was changed; free some space and try again")
    #expect(try workspace.text("../imported").hasPrefix("imported 100 clips as many, "))
  }

  /// 6 MB are to go and 1.5 MB are left, and next to nothing in the system's temporary folder. Nothing of it stays, the room
  /// comes back, and the rest is there.
  @Test func aRemovalHasTheRoomItNeeds() throws {
    let workspace = try StoreFaultTests.project()
    let clips = (0..<200).map { SquatClip(name: "clip\($0)", subject: "zacharias", squats: [SquatClip.deep]) }
    try workspace.add(SquatClip.dataset("crowd", clips), in: "incoming")
    let kept = (0..<100).map { SquatClip(name: "kept\($0)", subject: "kept", squats: [SquatClip.deep]) }
    try workspace.add(SquatClip.dataset("kept", kept), in: "incoming")
    for name in ["crowd", "kept"] {
      try workspace.run("dataset", "import", "folder", "--from", "incoming/\(name)").expectSuccess()
    }
    let outcome = try workspace.shell(
      MountNamespace.disk(".formbench", size: "64m")
        + """
        mkdir ../small && mount -t tmpfs -o size=64k none ../small || exit 99
        export TMPDIR=$(cd ../small && pwd)
        free=$(df -k --output=avail .formbench | tail -n 1)
        head -c $(( (free - 1500) * 1024 )) /dev/zero >.formbench/others || exit 99
        $bench dataset remove crowd; code=$?
        grep -l zacharias .formbench/store* && exit 98
        test $(df -k --output=avail .formbench | tail -n 1) -gt 6000 || exit 97
        $bench dataset export kept --to ../exported >/dev/null || exit 96
        exit $code
        """, wrapper: MountNamespace.wrapper)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == "removed crowd from the store\n")
  }

  @Test func aReportThatDoesNotFit() throws {
    let workspace = try StoreFaultTests.project()
    let before = try ProjectState(workspace)
    let outcome = try workspace.shell(
      "mkdir -p reports\n" + MountNamespace.disk("reports", size: "450k")
        + """
        ls -A reports/squat >../before
        $bench run --suite squat; code=$?
        ls -A reports/squat | cmp - ../before || exit 97
        cat reports/squat/latest/report.md >/dev/null || exit 96
        exit $code
        """, wrapper: MountNamespace.wrapper)
    #expect(outcome.code == 1)
    // The verdict does not wait for pictures.
    #expect(outcome.output.hasPrefix("Counts right on 3 of 3 clips."))
    #expect(outcome.error.contains("reports/squat/"))
    #expect(outcome.error.contains("expected a writable destination, found no space left on device"))
    #expect(try ProjectState(workspace).runs == before.runs)
  }

  @Test func anExportThatDoesNotFit() throws {
    let workspace = try StoreFaultTests.project()
    let outcome = try workspace.shell(
      "mkdir out\n" + MountNamespace.disk("out", size: "100k")
        + """
        $bench dataset export mine --to out/mine; code=$?
        test -z "$(ls -A out)" || exit 97
        exit $code
        """, wrapper: MountNamespace.wrapper)
    outcome.expectFailure(1, saying: ["out/mine", "expected a writable destination, found no space left on device"])
  }

  @Test func aBaselineThatDoesNotFit() throws {
    let workspace = try BaselineTests.accepted()
    let before = try workspace.bytes(BaselineTests.file)
    let size = (before.count + 4095) / 4096 * 4096
    let outcome = try workspace.shell(
      MountNamespace.disk("baselines", size: "\(size)")
        + """
        $bench baseline accept --suite squat --set reps.squat-states.bottomAngle=75; code=$?
        cp baselines/squat.json ../after && ls -A baselines >../names
        exit $code
        """, wrapper: MountNamespace.wrapper)
    outcome.expectFailure(
      1, saying: ["baselines/squat.json: expected a writable destination, found no space left on device"])
    #expect(try workspace.bytes("../after") == before)
    #expect(try workspace.text("../names") == "squat.json\n")
  }
}

/// Reports that cannot be written for other reasons.
@Suite struct ReportFaultTests {
  @Test func aFileInThePlaceOfTheReports() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("mine", to: "reports")
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, saying: ["reports/squat/", "expected a folder for the report, found "])
    #expect(try workspace.text("reports") == "mine")
    #expect(try workspace.store().runs(ofSuite: "squat").isEmpty)
  }

  @Test func anExportOntoSomethingElse() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("mine", to: "out/file")
    try workspace.run("dataset", "export", "squats", "--to", "out").expectFailure(
      1, "out: expected a new or an empty folder, found a folder that is not empty")
    #expect(try ProjectState.files(workspace.path("out")) == ["file": Data("mine".utf8)])
  }

  @Test func aChartThatCannotBeWritten() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("mine", to: "out")
    try workspace.run("replay", "anna_1", "--chart", "--output", "out/chart.png").expectFailure(
      1, saying: ["out/chart.png: expected a writable destination, found "])
    #expect(try workspace.text("out") == "mine")
  }
}
