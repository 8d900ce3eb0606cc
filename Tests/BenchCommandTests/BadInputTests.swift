import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Importers
import Pipeline
import PoseModel
import Simulation
import Testing

/// Every kind of file that somebody may hand over, damaged in every way that people and programs damage files: it is read, or
/// refused by name, at once and without much memory, and nothing is changed.
@Suite struct BadInputTests {
  /// Of a case in seconds of a processor, and of each process in bytes.
  private static let (mostWork, mostMemory) = (20.0, 1_000_000_000)

  /// What is done to a file.
  private struct Damage: Sendable {
    var name: String
    var isFatal = false
    /// On which line; `nil` where it is in many places.
    var line: (@Sendable ([UInt8]) -> Int)?
    var change: @Sendable ([UInt8]) -> [UInt8]

    init(_ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
      self.name = name
      self.change = change
    }

    /// In the middle of the file.
    init(_ name: String, inserting new: [UInt8]) {
      self.init(name) { Array($0.prefix($0.count / 2)) + new + $0.dropFirst($0.count / 2) }
      line = { 1 + $0.prefix($0.count / 2).count { $0 == UInt8(ascii: "\n") } }
    }
  }

  private static let damages =
    fatal.map { damage in
      var damage = Damage(damage.name, damage.change)
      damage.isFatal = true
      return damage
    } + harmful.map { Damage($0.name, $0.change) } + [
      Damage("a NUL in the middle", inserting: [0]), Damage("no UTF-8", inserting: [0xFF, 0xFE, 0xC3]),
      Damage("a name of 300 letters", inserting: [UInt8](repeating: UInt8(ascii: "x"), count: 300)),
      Damage("a path", inserting: Array("../../../etc/passwd".utf8)),
      Damage("what a terminal obeys", inserting: [0x1B] + Array("[31m\u{202E}::error::".utf8)),
    ]

  /// Damages that leave nothing of any of our kinds of files.
  private static let fatal: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
    ("empty", { _ in [] }), ("one NUL", { _ in [0] }), ("a word", { _ in Array("hello\n".utf8) }),
    ("a page of HTML", { _ in Array("<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n".utf8) }),
    ("a ZIP archive", { [0x50, 0x4B, 0x03, 0x04, 0x14, 0x00] + $0 }),
    ("a gzip file", { [0x1F, 0x8B, 0x08, 0x00] + $0 }),
    ("a hundred thousand brackets", { _ in [UInt8](repeating: UInt8(ascii: "["), count: 100_000) }),
    ("spaces", { _ in [UInt8](repeating: UInt8(ascii: " "), count: 100_000) }),
    ("64 KiB of NUL", { _ in [UInt8](repeating: 0, count: 1 << 16) }),
  ]

  /// Damages after which something may be left.
  private static let harmful: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
    ("cut in half", { Array($0.prefix($0.count / 2)) }), ("cut by a byte", { Array($0.dropLast()) }),
    ("UTF-16", { Array(String(decoding: $0, as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }),
    ("a byte order mark", { [0xEF, 0xBB, 0xBF] + $0 }),
    ("no first line", { Array($0.drop { $0 != UInt8(ascii: "\n") }.dropFirst()) }), ("twice", { $0 + $0 }),
    ("CR LF", { $0.flatMap { $0 == UInt8(ascii: "\n") ? [13, 10] : [$0] } }),
    ("CR", { $0.map { $0 == UInt8(ascii: "\n") ? 13 : $0 } }),
    ("no line ends", { $0.filter { $0 != UInt8(ascii: "\n") } }),
    ("no quotation marks", { $0.filter { $0 != UInt8(ascii: "\"") } }),
    ("semicolons", { $0.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ";") : $0 } }),
    ("spaces for tabs", { $0.map { $0 == 9 ? 32 : $0 } }),
    ("nine for every digit", { $0.map { (48...57).contains($0) ? 57 : $0 } }),
    ("zero for every digit", { $0.map { (48...57).contains($0) ? 48 : $0 } }),
    ("minus for every point", { $0.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "-") : $0 } }),
    ("numbers are nan", { numbers($0, "nan") }), ("numbers are infinite", { numbers($0, "1e999") }),
    ("numbers are below 0", { numbers($0, "-1") }),
    ("numbers are huge", { numbers($0, "123456789012345678901234567890") }),
  ]

  /// Each run of digits, with a point or without, becomes another text.
  private static func numbers(_ bytes: [UInt8], _ text: String) -> [UInt8] {
    var (changed, isNumber) = ([UInt8](), false)
    for byte in bytes {
      let isPart = (48...57).contains(byte) || isNumber && byte == UInt8(ascii: ".")
      if isPart, !isNumber { changed += Array(text.utf8) }
      if !isPart { changed.append(byte) }
      isNumber = isPart
    }
    return changed
  }

  /// A kind of file, and how it is read.
  private struct Kind: Sendable {
    var name: String
    /// A folder with a file that is right.
    var files: [String: [UInt8]]
    /// The one that is damaged.
    var damaged: String
    /// Whether it has no lines.
    var isBinary: Bool { ["npy", "c3d", "age"].contains((damaged as NSString).pathExtension) }
    /// The command that reads it, and the folder of a project in which it looks for the files.
    var command: [String]
    var place = "in"
    /// Reads what is in a folder.
    var read: @Sendable (_ folder: String) throws -> Void
  }

  private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  private static func corpus(_ name: String) throws -> [(file: String, bytes: [UInt8])] {
    let folder = source.appending(path: "Fuzz/corpus/\(name)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  // MARK: Kinds

  /// What tools write, by the files that the fuzzer begins with.
  private static func recordings() throws -> [Kind] {
    try Importers.tools.filter { $0.format != "mapped" && $0.format != "acclaim" }.flatMap { importer in
      // One importer reads several containers.
      let corpora =
        importer.format == "keypoints" ? ["csv", "json", "jsonl", "npy"].map { "keypoints-\($0)" } : [importer.format]
      return try corpora.flatMap(corpus).map { file, bytes in
        let name =
          importer.format == "openpose" ? "clip_1_keypoints.json" : "clip_1.\(file.split(separator: ".").last ?? "")"
        return Kind(
          name: "\(importer.format) \(file)", files: [name: bytes], damaged: name,
          command: importing(importer, from: "in/\(name)")
        ) { try imported(importer, from: "\($0)/\(name)") }
      }
    }
  }

  private static func importing(_ importer: any Importer.Type, from path: String) -> [String] {
    let exercise = importer.options.contains(.exercise) ? ["--exercise", "squat"] : []
    return ["dataset", "import", importer.format, "--from", path, "--name", "new"] + exercise
  }

  /// Imports with as much of what a file may lack as it does lack.
  private static func imported(_ importer: any Importer.Type, from path: String) throws {
    for lacking in [[ImportOption.fps, .size, .exercise], [.fps, .exercise], [.size, .exercise], [.exercise], []]
    where importer.options.isSuperset(of: lacking) {
      var options = ImportOptions(name: "mine")
      if lacking.contains(.exercise) { options.exercise = "squat" }
      if lacking.contains(.fps) { options.fps = 30 }
      if lacking.contains(.size) { options.size = ImageSize(width: 640, height: 480) }
      do {
        for source in try Importers.datasets(importer, from: path, options: options) {
          _ = try source.digest()
          for clip in 0..<source.clipCount { _ = try source.clip(clip) }
        }
        return
      } catch is ImportOptionError {}
    }
  }

  private static func labels() throws -> [Kind] {
    func kind(_ format: String, _ file: String, _ ending: String, _ bytes: [UInt8]) -> Kind {
      Kind(
        name: "\(format) \(file)", files: ["clip.\(ending)": bytes], damaged: "clip.\(ending)",
        command: ["dataset", "label", "mine", format, "--from", "in/clip.\(ending)"]
      ) { folder in
        _ = try LabelImport(from: "\(folder)/clip.\(ending)", format: format, mapping: nil)
      }
    }
    let table = "clip,start_s,end_s,rater\nanna_1,1,2,dora\nanna_1,3,4.5,dora\n"
    let export = #"""
      id,annotation_id,annotator,timeline,video,was_cancelled
      1,7,dora,"[{""ranges"": [{""start"": 4, ""end"": 28}], ""timelinelabels"": [""rep""]}]",/data/anna_1.mp4,False

      """#
    let own = [("csv", table), ("label-studio-csv", export)].map { kind($0, "table", "csv", Array($1.utf8)) }
    return try own
      + LabelFormats.descriptions.filter { !["csv", "label-studio-csv"].contains($0.name) }
      .flatMap { format in try corpus(format.name).map { kind(format.name, $0, format.ending, $1) } }
  }

  /// The files of a folder, of a suite and what goes with it.
  private static func ownFiles() throws -> [Kind] {
    let workspace = try Workspace.withSquats(after: [
      ["baseline", "accept", "--suite", "squat"], ["tally", "--suite", "squat", "--to", "all.jsonl"],
    ])
    try DatasetFolder.write(SquatClip.dataset("mine", SquatClip.three), to: workspace.path("mine"))
    var folder: [String: [UInt8]] = [:]
    for (name, bytes) in try ProjectState.files(workspace.path("mine")) where !bytes.isEmpty {
      folder[name] = [UInt8](bytes)
    }
    var kinds = folder.keys.sorted().map { file in
      Kind(
        name: "folder \(file)", files: folder, damaged: file,
        command: ["dataset", "import", "folder", "--from", "in", "--name", "new"]
      ) { path in
        let read = try DatasetFolder(path)
        _ = try read.digest()
        for clip in 0..<read.clipCount { _ = try read.clip(clip) }
      }
    }
    func kind(
      _ name: String, _ file: String, _ bytes: [UInt8], _ command: [String], place: String = "in",
      _ read: @escaping @Sendable (String) throws -> Void
    ) {
      kinds.append(
        Kind(name: name, files: [file: bytes], damaged: file, command: command, place: place) {
          try read("\($0)/\(file)")
        })
    }
    let suite = [UInt8](try workspace.bytes("datasets/suites/squat.yaml"))
    kind("suite", "squat.yaml", suite, ["run", "--suite", "squat"], place: "datasets/suites") {
      _ = try Suite(yaml: InputFile($0), registry: .builtIn)
    }
    let baseline = [UInt8](try workspace.bytes(BaselineTests.file))
    kind("baseline", "squat.json", baseline, ["gate", "--suite", "squat"], place: "baselines") {
      _ = try Baseline(file: $0, suite: "squat")
    }
    let exercise = source.appending(path: "Sources/Evaluation/Exercises/BuiltIn/lunge.yaml")
    let checking = ["exercise", "check", "exercises/lunge.yaml"]
    kind("exercise", "lunge.yaml", [UInt8](try Data(contentsOf: exercise)), checking, place: "exercises") {
      _ = try ExerciseDefinition(calledAsItsFile: $0)
    }
    let scoring = ["score", "--predictions", "in/mine.csv"]
    kind("predictions", "mine.csv", Array("clip,start_s,end_s\nanna_1,1,2\nbert_1,,\n".utf8), scoring) {
      _ = try PredictionFiles([InputFile($0)])
    }
    kind("counts", "mine.csv", Array("clip,count,true_count\nanna_1,2,3\nbert_1,0,0\n".utf8), scoring) {
      _ = try PredictionFiles([InputFile($0)])
    }
    let lines = Array("{\"clip\":\"anna_1\",\"type\":\"rep\",\"start\":1,\"end\":2}\n".utf8)
    kind("lines", "mine.jsonl", lines, ["score", "--predictions", "in/mine.jsonl"]) {
      _ = try PredictionFiles([InputFile($0)])
    }
    let detecting = ["run", "--suite", "squat"]
    kind("detector", "knee.yaml", Array(detector.utf8), detecting, place: "detectors") {
      _ = try CommandDetector(yaml: InputFile($0), called: "knee", in: "")
    }
    kind("tallies", "mine.jsonl", [UInt8](try workspace.bytes("all.jsonl")), ["merge", "in/mine.jsonl"]) {
      _ = try TallyFiles([$0])
    }
    let archive = Array("age-encryption.org/v1\n-> scrypt AAAAAAAAAAAAAAAAAAAAAA 1\n".utf8)
    let opening = ["dataset", "import", "--from", "in/mine.age", "--passphrase-file", "passphrase"]
    kind("archive", "mine.age", archive, opening) { file in
      let store = try Store(at: "\((file as NSString).deletingLastPathComponent)/.store.sqlite")
      _ = try OpenedArchive(file, passphrase: Array("a passphrase".utf8), beside: store)
    }
    let taking = ["run", "--suite", "squat", "--parameters", "in/mine.yaml"]
    kind("parameters", "mine.yaml", Array(parameters.utf8), taking) {
      _ = try ParameterFile(yaml: InputFile($0), of: DetectorRegistry.builtIn.detectors)
    }
    kinds.append(
      Kind(
        name: "recipe", files: ["recipe.yaml": Array(recipe.utf8)], damaged: "recipe.yaml",
        command: ["dataset", "import", "folder", "--from", "in", "--name", "new"]
      ) { folder in
        let recipe = try DatasetRecipe(folder)
        _ = try recipe.digest()
      })
    let sets = source.appending(path: "Sources/Importers/MarkerSets")
    for (file, bytes) in try corpus("trc") {
      kinds.append(
        Kind(
          name: "marker set for \(file)",
          files: ["set.yaml": [UInt8](try Data(contentsOf: sets.appending(path: "opencap.yaml"))), "clip.trc": bytes],
          damaged: "set.yaml", command: importing(TRC.self, from: "in/clip.trc") + ["--mapping", "in/set.yaml"]
        ) { folder in
          var options = ImportOptions(name: "mine")
          (options.exercise, options.mapping) = ("squat", "\(folder)/set.yaml")
          for source in try Importers.datasets(TRC.self, from: "\(folder)/clip.trc", options: options) {
            _ = try source.clip(0)
          }
        })
    }
    let marks = "0.1\t0.9\trep\n"
    kinds.append(
      Kind(
        name: "mapping of labels",
        files: ["map.yaml": Array("rater: dora\nlabels:\n  rep: { kind: rep }\n".utf8), "clip.txt": Array(marks.utf8)],
        damaged: "map.yaml",
        command: ["dataset", "label", "mine", "audacity", "--from", "in/clip.txt", "--mapping", "in/map.yaml"]
      ) { _ = try LabelImport(from: "\($0)/clip.txt", format: "audacity", mapping: "\($0)/map.yaml") })
    let columns =
      "skeleton: coco-17\ncoordinates: { unit: pixel, height: 480, y_axis: down, channels: [x, y] }\n"
      + "columns: { nose: [nx, ny] }\n"
    kinds.append(
      Kind(
        name: "mapping of columns",
        files: ["map.yaml": Array(columns.utf8), "clip.csv": Array("nx,ny\n1,2\n3,4\n".utf8)],
        damaged: "map.yaml",
        command: importing(MappedPoses.self, from: "in/clip.csv") + ["--mapping", "in/map.yaml", "--fps", "30"]
      ) { folder in
        var options = ImportOptions(name: "mine")
        (options.exercise, options.fps, options.mapping) = ("squat", 30, "\(folder)/map.yaml")
        let sources = try Importers.datasets(MappedPoses.self, from: "\(folder)/clip.csv", options: options)
        for source in sources { _ = try source.clip(0) }
      })
    return kinds
  }

  private static let recipe =
    "seed: 1\nsubjects: 2\nclips_per_subject: 1\nexercise: squat\nscenario: needs-correction\nseverity: 0.8\n"

  private static let detector = """
    detector: knee
    command: [python3, coach/serve.py]
    kind: reps
    exercise: squat
    joints: [left_knee]
    files: [coach/]
    signals:
    - { name: knee angle, unit: degrees, guides: [low] }
    parameters:
    - { name: low, value: 90, range: [10, 150], unit: degrees, summary: A squat goes below. }

    """

  private static let parameters = """
    detector: squat-states
    values:
      bottomAngle: 118
    tuned_on:
      suite: squat
      suite_version: 1
      metric: count.mae
      datasets:
      - name: "squat-sample"
        content: sha256:\(String(repeating: "0a", count: 32))
        subjects: ["s01", "s02"]
    search: { method: coordinate, budget: 300, seed: 1 }
    expected_on_new_people: { value: 2.1, low: 0.4, high: 3.8, subjects: 3 }
    in_sample_optimistic: { value: 1, subjects: 3 }

    """

  /// What publishers lay out as folders: any of their files, if it is nothing of the kind.
  private static func sets() -> [Kind] {
    let files = [
      RepCountPose.format: ["annotation/test.csv", "poses/test/a.npy"], UIPRMD.format: ["m01_s01_positions.txt"],
      TennisShots.format: ["forehand_player_1.csv"], TennisStream.format: ["forehand.csv"],
      GolfSwing.format: ["events.csv", "poses/0.csv"], ExerciseCorrection.format: ["train.csv", "squat/train.csv"],
      PushFit.format: ["a.npy", "labels.csv"], GradedSquats.format: ["grades.csv", "poses/a.csv"],
    ]
    return Importers.sets.flatMap { importer -> [Kind] in
      // A folder of another set is as wrong.
      let names = files[importer.format] ?? ["labels.csv", "poses/a.csv"]
      return names.map { name in
        let all = Dictionary(uniqueKeysWithValues: names.map { ($0, Array("a,b\n1,2\n".utf8)) })
        return Kind(
          name: "\(importer.format) \(name)", files: all, damaged: name, command: importing(importer, from: "in")
        ) { folder in
          try imported(importer, from: folder)
          // None of these is whole without the damage.
          throw DataError(file: folder, expected: "a set", found: "one")
        }
      }
    }
  }

  // MARK: Tests

  /// What is known of the lines that errors name.
  private enum Lines {
    /// All are of the damage's line.
    case own
    /// So are those of a line; a file may also be refused as a whole.
    case ofMany
    /// Something else is wrong too.
    case unknown
  }

  /// Reads a kind's file after each damage, and counts the cases.
  private func read(_ kinds: [Kind], _ lines: Lines) throws -> Int {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "bad-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var cases = 0
    for kind in kinds {
      for damage in Self.damages {
        cases += 1
        let comment: Comment = "\(kind.name), \(damage.name)"
        let folder = "\(scratch)/\(cases)"
        for (name, bytes) in kind.files {
          let path = URL(filePath: "\(folder)/\(name)")
          try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
          let written = name == kind.damaged ? damage.change(bytes) : bytes
          try #require(FileManager.default.createFile(atPath: path.path, contents: Data(written)))
        }
        let before = try ProjectState.files(folder)
        let begin = Self.work
        let problem = Self.problem(of: kind, in: folder, after: damage, lines)
        #expect(problem == nil, comment)
        #expect(Self.work - begin < Self.mostWork, comment)
        let after = try ProjectState.files(folder).filter { !$0.key.hasPrefix(".store") }
        #expect(after == before, comment)
        try FileManager.default.removeItem(atPath: folder)
      }
    }
    return cases
  }

  /// Of this thread, in seconds of a processor.
  private static var work: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// What is wrong with how it is read or refused; `nil` where nothing is.
  private static func problem(of kind: Kind, in folder: String, after damage: Damage, _ lines: Lines) -> String? {
    do {
      try kind.read(folder)
      return damage.isFatal ? "it was read" : nil
    } catch let error as any CustomStringConvertible & Error {
      guard error is DataError || error is EvaluationError else { return "\(type(of: error)): \(error)" }
      let text = "\(error)"
      if !text.contains(folder) { return "no file is named: \(text)" }
      if !text.contains("expected ") || !text.contains("found ") { return "nothing is expected or found: \(text)" }
      if text.utf8.count > 20_000 { return "\(text.utf8.count) bytes of error" }
      let isObeyed = text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
      if isObeyed || text.contains("\u{202E}") { return "a terminal obeys it" }
      if let error = error as? DataError, error.file == "\(folder)/\(kind.damaged)",
        let bytes = kind.files[kind.damaged]
      {
        // What is missing at the end may be told of the line after the last, and of a header's last line.
        let count = damage.change(bytes).split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 13 }.count
        if let line = error.line, !(1...count + 2).contains(line) { return "line \(line) of \(count): \(text)" }
        let mayBeWhole = kind.isBinary || lines == .ofMany
        if lines != .unknown, let line = damage.line?(bytes), error.line ?? (mayBeWhole ? line : nil) != line {
          return "it is line \(line): \(text)"
        }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// 45 kinds of files and more in 33 ways.
  @Test func damagedRecordings() throws { #expect(try read(Self.recordings(), .ofMany) >= 800) }

  @Test func damagedLabels() throws { #expect(try read(Self.labels(), .ofMany) >= 250) }

  @Test func damagedFilesOfOurOwn() throws { #expect(try read(Self.ownFiles(), .own) >= 500) }

  @Test func damagedSets() throws { #expect(try read(Self.sets(), .unknown) >= 400) }

  /// Stores, which are opened to be written to: what is no store stays as it is.
  @Test func damagedStores() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    let whole = [UInt8](try workspace.bytes(StoreFaultTests.store))
    // The others change each byte of a file that is much larger than a text.
    let damages = Self.damages.filter { $0.isFatal || $0.line != nil || $0.name.hasPrefix("cut") }
    try #require(damages.count >= 16)
    for (index, damage) in damages.enumerated() {
      let path = "\(workspace.outside)/\(index).sqlite"
      let comment: Comment = "\(damage.name)"
      let bytes = Data(damage.change(whole))
      try bytes.write(to: URL(filePath: path))
      do {
        let store = try Store(at: path)
        for dataset in try store.datasets() {
          for clip in try store.clips(of: dataset) { _ = try store.clip(clip, of: dataset) }
        }
        _ = try (store.auditLog(), store.runs(ofSuite: "squat"), store.runHeads(ofSuite: nil))
        // An empty file is a new store.
        #expect(!damage.isFatal || bytes.isEmpty, comment)
      } catch let error as any CustomStringConvertible & Error {
        #expect(error is StoreError && "\(error)".contains(path), "\(damage.name): \(error)")
        if damage.isFatal { #expect(try Data(contentsOf: URL(filePath: path)) == bytes, comment) }
      }
    }
  }

  /// Through the program, with damages that leave nothing: it ends with 1, says which file, and changes nothing.
  @Test(arguments: [0, 1]) func refusalsEndWithOne(_ half: Int) throws {
    let workspace = try Workspace.shared("a baseline and a dataset in the store") {
      let workspace = try BaselineTests.accepted()
      try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
      try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
      return workspace
    }
    try workspace.write("a passphrase of some length\n", to: "passphrase")
    // Files of one layout are refused alike, as the tests above say of each.
    var layouts: Set<String> = []
    let foreign = try (Self.recordings() + Self.labels()).filter {
      layouts.insert("\($0.command.prefix(4)) \($0.damaged)").inserted
    }
    let kinds = try foreign + Self.ownFiles() + Self.sets()
    try #require(kinds.count > 45)
    for (index, kind) in kinds.enumerated() where index % 2 == half {
      let damage = Self.damages[3 + index % 3]
      var kept: [String: Data] = [:]
      for (name, bytes) in kind.files {
        let file = "\(kind.place)/\(name)"
        if workspace.exists(file) { kept[file] = try workspace.bytes(file) }
        try workspace.write(Data(name == kind.damaged ? damage.change(bytes) : bytes), to: file)
      }
      let before = try ProjectState(workspace)
      let outcome = try workspace.run(kind.command)
      #expect(outcome.code == 1, "\(kind.name), \(damage.name): \(outcome.error)")
      #expect(outcome.error.contains(kind.place), "\(kind.name), \(damage.name): \(outcome.error)")
      #expect(try ProjectState(workspace) == before, "\(kind.name), \(damage.name)")
      for name in kind.files.keys {
        let file = "\(kind.place)/\(name)"
        if let bytes = kept[file] { try workspace.write(bytes, to: file) } else { try workspace.remove(file) }
      }
      if workspace.exists("in") { try workspace.remove("in") }
    }
  }

  // MARK: Arguments and environment

  /// An option that there is not, through the program; `UsageTests` has it for every command.
  @Test func optionsThatThereAreNot() throws {
    let workspace = try Workspace()
    let commands = [[], ["dataset"], ["run"], ["dataset", "import"]].map { $0 + ["--no-such-option"] }
    for outcome in try workspace.runEach(commands) {
      outcome.expectFailure(64, saying: ["Error: ", "Usage: bench"])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.project) == ["datasets"])
  }

  /// Values that mean nothing: nothing is made of them, and nothing is changed.
  @Test(arguments: [
    "", " ", "-", "../../etc/passwd", "/dev/null", "a\nb", "\u{1B}[31m", "%s%n", String(repeating: "x", count: 300),
  ])
  func valuesThatMeanNothing(_ value: String) throws {
    let workspace = try Workspace.withSquats(after: [["dataset", "list"]])
    let before = try ProjectState(workspace)
    let commands = [
      ["run", "--suite=\(value)"], ["gate", "--suite=\(value)"], ["baseline", "show", "--suite=\(value)"],
      ["run", "--suite", "squat", "--set=\(value)"], ["run", "--suite", "squat", "--dataset=\(value)"],
      ["run", "--suite", "squat", "--jobs=\(value)"], ["run", "--suite", "squat", "--parameters=\(value)"],
      ["dataset", "import", "--from=\(value)"],
      ["dataset", "import", "folder", "--from", "datasets/squats", "--name=\(value)"],
      ["dataset", "label", "squats", "--from=\(value)"], ["score", "--predictions=\(value)"],
      ["detector", "show", "--", value],
      ["exercise", "check", "--", value], ["metric", "show", "--", value], ["dataset", "show", "--", value],
      ["dataset", "remove", "--", value], ["replay", "--detector=squat-states", "--", value],
    ]
    for (command, outcome) in zip(commands, try workspace.runEach(commands)) {
      #expect([1, 5, 64].contains(outcome.code), "\(command): \(outcome.code)")
      outcome.expectFailure(outcome.code, saying: [])
      #expect(!outcome.error.isEmpty && outcome.error.utf8.count < 20_000, "\(command)")
    }
    #expect(try ProjectState(workspace) == before)
  }

  /// Whatever is written goes to a path of one letter too.
  @Test func outputsOfOneLetter() throws {
    let workspace = try Workspace.withSquats(after: [
      ["baseline", "accept", "--suite", "squat"], ["run", "--suite", "squat"],
    ])
    for (name, command) in [
      ("x", "dataset generate --seed 1 --subjects 1 --clips-per-subject 1 --to"), ("é", "dataset export squats --to"),
      ("j", "gate --suite squat --junit"), ("r", "report --html --output"), ("-", "tally --suite squat --to"),
      ("d", "draw card --dataset squats --out"), ("s", "dataset list --store"), (" ", "dataset list --store"),
    ] {
      let outcome = try workspace.run(command.split(separator: " ").map(String.init) + [name])
      #expect(outcome.code == 0, "\(command) \(name): \(outcome.error)")
      #expect(workspace.exists(name), "\(command) \(name)")
    }
    let commands = ["dataset list --store", "dataset export squats --to", "gate --suite squat --junit"]
    for name in [".", "./", "..", "/"] {
      let outcomes = try workspace.runEach(commands.map { $0.split(separator: " ").map(String.init) + [name] })
      for (command, outcome) in zip(commands, outcomes) {
        // A folder is named without the slash behind it.
        let names = name == "./" ? [name, "."] : [name]
        #expect(outcome.code == 1, "\(command): \(outcome.error)")
        #expect(names.contains { outcome.error.hasPrefix("bench: \($0): ") }, "\(command): \(outcome.error)")
      }
    }
    for folder in [workspace.project, workspace.outside, "/"] {
      #expect(!(try FileManager.default.contentsOfDirectory(atPath: folder)).contains { $0.hasSuffix("partial") })
    }
  }

  /// Nor does an empty folder become a dataset by the name of the current one.
  @Test func theCurrentFolderIsNotReplaced() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "list").expectSuccess()
    let outcome = try workspace.shell("mkdir new && cd new && $bench dataset export squats --to .")
    outcome.expectFailure(
      1, ".: expected the name of a new or an empty folder, found the current one or one above it")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path("new")) == [])
  }

  @Test(arguments: [
    ["COLUMNS": "-1", "TERM": "", "LC_ALL": "xx_YY.nothing", "HOME": "/nowhere", "PATH": ""],
    ["COLUMNS": "99999999999999999999", "PATH": "/nowhere", "TZ": "Nowhere/Never", "CI": "1", "NO_COLOR": "x"],
    ["TMPDIR": "/nowhere"],
  ])
  func environmentsThatChangeNothing(_ environment: [String: String]) throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run(["run", "--suite", "squat", "--json"], environment: environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try JSONText(outcome.output).hasSortedKeys)
  }

  @Test(arguments: [
    ["BENCH_BASE_REF": "--upload-pack=touch x"], ["CI": "1", "GITHUB_BASE_REF": "a\nb"], ["BENCH_BASE_REF": "nowhere"],
  ])
  func referencesThatAreNone(_ environment: [String: String]) throws {
    let workspace = try BaselineTests.accepted()
    let outcome = try workspace.run(["gate", "--suite", "squat"], environment: environment)
    #expect([5, 64].contains(outcome.code))
    #expect(outcome.error.contains("git ref"))
    #expect(!workspace.exists("x"))
  }

  /// Of all processes that the tests have waited for.
  @Test func noProcessTakesAGigabyte() throws {
    _ = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    var usage = rusage()
    // RUSAGE_CHILDREN, which is of another type on each system.
    #expect(getrusage(-1, &usage) == 0)
    #if os(Linux)
      #expect(usage.ru_maxrss * 1024 < Self.mostMemory)
    #else
      #expect(usage.ru_maxrss < Self.mostMemory)
    #endif
  }
}
