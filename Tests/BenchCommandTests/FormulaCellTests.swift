import Testing

/// Text from outside that a spreadsheet would run, in the tables that are written.
@Suite struct FormulaCellTests {
  @Test func ofADatasetAreDisarmedAndReadTheSame() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
    let labels = ["=1+1", "+a", "-b", "@c", "-3", "+4", "'=5", "a=1"]
    let rows = labels.enumerated().map { "anna_1,1.\($0),\($1)\n" }
    try workspace.write("clip,time_s,label\n" + rows.joined(), to: "labels/events.csv")
    try workspace.write("clip,rep,rater,fault,present\nanna_1,1,=x,@y,1\n", to: "labels/faults.csv")
    try workspace.run("dataset", "label", "mine", "--from", "labels").expectSuccess()
    try workspace.run("dataset", "export", "mine", "--to", "out").expectSuccess()
    // What stood there with an apostrophe before it was disarmed already.
    let disarmed = ["'=1+1", "'+a", "'-b", "'@c", "-3", "+4", "'=5", "a=1"]
    #expect(
      try workspace.text("out/events.csv")
        == "clip,time_s,label\n" + disarmed.enumerated().map { "anna_1,1\($0 == 0 ? "" : ".\($0)"),\($1)\n" }.joined())
    #expect(try workspace.text("out/faults.csv").contains("anna_1,1,'=x,'@y,1\n"))
    try workspace.run("dataset", "import", "--from", "out", "--name", "again").expectSuccess()
    try workspace.run("dataset", "export", "again", "--to", "twice").expectSuccess()
    for file in ["events.csv", "faults.csv"] {
      #expect(try workspace.text("twice/\(file)") == workspace.text("out/\(file)"))
    }
  }

  @Test func ofTheHistoryAreDisarmed() throws {
    let workspace = try Workspace.withSquats(SquatClip.three)
    try workspace.run("run", "--suite", "squat", "--release", "=1+1").expectSuccess()
    let csv = try workspace.run("history", "export", "--csv").output
    #expect(csv.contains(",'=1+1,"))
    #expect(!csv.contains(",=1+1,"))
  }
}
