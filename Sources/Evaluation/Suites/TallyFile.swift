import Datasets
import Files
import Foundation
import Pipeline
import PoseModel
import Scoring
import Statistics
import Synchronization

/// One of several parts of a suite's clips: `3/64`. Every 64th clip in the suite's order, whatever the machine.
public struct Shard: Codable, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public let index: Int
  public let count: Int

  init(index: Int, of count: Int) { (self.index, self.count) = (index, count) }

  /// `nil` for anything but `3/64`.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count >= 1, (1...count).contains(index)
    else { return nil }
    self.init(index: index, of: count)
  }

  public var description: String { "\(index)/\(count)" }

  /// The positions of its clips.
  public func positions(of clips: Int) -> [Int] { Array(stride(from: index - 1, to: clips, by: count)) }
}

/// Everything that tallies depend on besides the clips: files can be merged only if theirs is the same.
public struct TallyPlan: Codable, Sendable {
  /// The version of the layout of tally files.
  static let currentFormat = 2

  public var format = Self.currentFormat
  /// The run before any clip: with the content hash of each dataset, and every detector's parameters.
  var run: RunResults
  /// The hash of each file of the project that the tallies depend on: the suite's and the exercises'.
  var files: [String: String]
  /// The options of the command, with which `bench merge` makes the same run.
  public var options: [String]
  /// The number of clips of all shards together.
  public var clips: Int

  /// - Throws: `DataError` if a file cannot be read.
  public init(_ run: SuiteRun, options: [String], version: String, in project: Project) throws {
    self.run = try run.head(version: version)
    files = try Self.hashes(ofSuite: run.suite.name, in: project)
    self.options = options
    clips = run.clipCount
  }

  /// The plan of files, with what is of this project.
  init(_ run: SuiteRun, of files: TallyFiles, in project: Project) throws {
    self = files.plan
    self.run.detectors = try run.detectorCards()
    self.run.smoothing = run.suite.smoothing?.description
    self.files = try Self.hashes(ofSuite: run.suite.name, in: project)
  }

  private static func hashes(ofSuite suite: String, in project: Project) throws -> [String: String] {
    let paths = [project.suiteFile(suite)] + project.exerciseNames.map(project.exerciseFile)
    let hashes = try paths.map { path in
      let hash = SHA256()
      hash.update(try InputFile(path).bytes)
      return (PathParts(path).name, ContentHash(hash.finish()).description)
    }
    return Dictionary(hashes, uniquingKeysWith: { first, _ in first })
  }

  /// What is different in another plan; `nil` if nothing is.
  func difference(from other: TallyPlan) throws -> (expected: String, found: String)? {
    func different(_ what: String, _ a: [String: String], _ b: [String: String]) -> (expected: String, found: String)? {
      Set(a.keys).union(b.keys).sorted().first { a[$0] != b[$0] }.map {
        ("\(what) \($0) \(a[$0] ?? "to be absent")", b[$0] ?? "none")
      }
    }
    let (own, others) = (run, other.run)
    if own.bench != others.bench { return ("tallies of bench \(own.bench)", "bench \(others.bench)") }
    if own.suite != others.suite { return ("tallies of suite \(own.suite)", "suite \(others.suite)") }
    if options != other.options {
      return ("tallies with \(options.joined(separator: " "))", other.options.joined(separator: " "))
    }
    func contents(_ run: RunResults) -> [String: String] {
      run.datasets.contentByName
    }
    func values(_ run: RunResults) -> [String: String] {
      let all = run.detectors.flatMap { detector in
        detector.parameters.map { ("\(detector.name).\($0.key)", "\($0.value)") }
          + [(detector.name, detector.files ?? "built in")]
      }
      return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }
    if let found = different("dataset", contents(own), contents(others)) ?? different("file", files, other.files)
      ?? different("detector", values(own), values(others))
    {
      return found
    }
    let isSame = try clips == other.clips && stableJSON(own) == stableJSON(others)
    return isSame ? nil : ("tallies of \(clips) clips of the same datasets and detectors", "other ones")
  }
}

/// What is kept of a clip after its replay to every detector.
struct TalliedClip: Sendable {
  var result: ClipResult
  var groundTruth: GroundTruth
  /// `CopiedPeople.recording` of its poses.
  var recording: String?
  /// The frames' times; empty if no detector's metrics compare frames with labels.
  var frames: [Microseconds]
  /// In the order of the settings; `nil` for a detector that is not replayed on the clip.
  var tallies: [ClipTallies?]
}

extension TalliedClip: Codable {
  private enum CodingKeys: CodingKey { case result, groundTruth, recording, frames, tallies }

  /// The key of the families of each detector's tallies.
  static let families = CodingUserInfoKey(rawValue: "families")

  init(from decoder: any Decoder) throws {
    let families = Self.families.flatMap { decoder.userInfo[$0] as? [[any MetricFamily]] } ?? []
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var lists = try container.nestedUnkeyedContainer(forKey: .tallies)
    self.init(
      result: try container.decode(ClipResult.self, forKey: .result),
      groundTruth: try container.decode(GroundTruth.self, forKey: .groundTruth),
      recording: try container.decodeIfPresent(String.self, forKey: .recording),
      frames: try container.decodeIfPresent([Microseconds].self, forKey: .frames) ?? [],
      tallies: try families.map { try lists.decodeNil() ? nil : ClipTallies(from: lists.superDecoder(), of: $0) })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(result, forKey: .result)
    try container.encode(groundTruth, forKey: .groundTruth)
    try container.encodeIfPresent(recording, forKey: .recording)
    if !frames.isEmpty { try container.encode(frames, forKey: .frames) }
    try container.encode(tallies, forKey: .tallies)
  }
}

/// The line of one clip. Sorted keys put the position first, where it is read without the rest.
struct TallyLine<Tally> {
  /// The clip's position among all of the run.
  var position: Int
  /// `squat-sample/s01_side_1`
  var id: String
  var tally: Tally

  enum CodingKeys: String, CodingKey {
    case position = "clip"
    case id, tally
  }

  init(position: Int, id: String, _ tally: Tally) { (self.position, self.id, self.tally) = (position, id, tally) }
}

extension TallyLine: Encodable where Tally: Encodable {}
extension TallyLine: Decodable where Tally: Decodable {}

/// The first line of a tally file.
private struct TallyHead: Codable {
  var plan: TallyPlan
  /// `nil` for clips that were listed.
  var shard: Shard?
  /// The number of lines of clips.
  var clips: Int
}

/// The measured times of a file's clips; everything else is the same on every machine.
struct TallyCosts: Codable, Sendable {
  /// By detector.
  var updates: [String: UpdateCost] = [:]
  var ratios: [String: MeasuredCostRatios] = [:]

  init(updates: [String: UpdateCost] = [:], ratios: [String: MeasuredCostRatios] = [:]) {
    (self.updates, self.ratios) = (updates, ratios)
  }

  /// Those of several files' clips together.
  init(_ parts: [TallyCosts]) {
    for part in parts {
      for (name, cost) in part.updates { updates[name, default: UpdateCost()].add(cost) }
    }
    for name in Set(parts.flatMap(\.ratios.keys)) {
      ratios[name] = MeasuredCostRatios(parts.compactMap { $0.ratios[name] })
    }
  }
}

/// The last line of a tally file: one without it was cut off.
private struct TallyEnd: Codable { var end: TallyCosts }

/// Writes a tally file as newline-delimited JSON: a head, a line per clip, an end. It appears under its name when it is
/// finished; a killed process leaves none.
public final class TallyWriter: Sendable {
  private struct Output {
    let staging: StagingFolder
    let file: OutputFile
  }

  private let output: Mutex<Output>

  /// - Parameters:
  ///   - clips: How many lines will be appended.
  ///   - shard: `nil` for clips that were listed.
  /// - Throws: `DataError` if the file cannot be written.
  public init(_ path: String, plan: TallyPlan, shard: Shard?, clips: Int) throws {
    let staging = try StagingFolder(forFile: path)
    output = Mutex(Output(staging: staging, file: try OutputFile(in: staging, name: path)))
    try append(TallyHead(plan: plan, shard: shard, clips: clips))
  }

  func append(_ line: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    try copy(encoder.encode(line))
  }

  fileprivate func copy(_ line: Data) throws {
    try output.withLock { output in
      try output.file.append(line)
      try output.file.append(CollectionOfOne(UInt8(ascii: "\n")))
    }
  }

  func finish(_ costs: TallyCosts) throws {
    try append(TallyEnd(end: costs))
    try output.withLock { output in
      try output.file.finish()
      try output.staging.moveFile()
    }
  }
}

/// Tally files of one plan, with each clip at most once.
///
/// Of the clips only their places in the files are kept in memory.
public struct TallyFiles: Sendable {
  private struct Line {
    var position: Int
    var file: Int
    /// Counted from 1.
    var number: Int
    var bytes: Range<Int>
  }

  public let plan: TallyPlan
  private let files: [InputFile]
  private let shards: [Shard?]
  /// In the order of the clips.
  private let lines: [Line]
  let costs: TallyCosts

  public var clipCount: Int { lines.count }

  /// - Throws: `DataError` with file and line for a file that is none, is cut off or has another plan, and for a clip
  ///   that is there twice.
  public init(_ paths: [String]) throws {
    var (heads, ends, files, lines): ([TallyHead], [TallyCosts], [InputFile], [Line]) = ([], [], [], [])
    for path in paths {
      let file = try InputFile(path)
      let (head, own, costs) = try Self.scan(file, number: files.count)
      if let difference = try heads.first?.plan.difference(from: head.plan) {
        throw DataError(
          file: path, line: 1, expected: "\(difference.expected), as in \(paths[0])", found: difference.found)
      }
      heads.append(head)
      ends.append(costs)
      files.append(file)
      lines += own
    }
    guard let plan = heads.first?.plan else { throw EvaluationError.usage("expected at least one tally file") }
    lines.sort { ($0.position, $0.file, $0.number) < ($1.position, $1.file, $1.number) }
    for (line, next) in zip(lines, lines.dropFirst()) where line.position == next.position {
      throw DataError(
        file: files[next.file].name, line: next.number, clip: Self.id(next, in: files),
        expected: "each clip once", found: "it also at \(files[line.file].name):\(line.number)")
    }
    var order: [Int] = []
    var seen: Set<Int> = []
    for line in lines where seen.insert(line.file).inserted { order.append(line.file) }
    // Of the files in the order of their first clips, which does not depend on the order of the arguments.
    costs = TallyCosts(order.map { ends[$0] })
    shards = heads.map(\.shard)
    (self.plan, self.files, self.lines) = (plan, files, lines)
  }

  /// The head of a file, the places of its clips, and its end.
  private static func scan(_ file: InputFile, number: Int) throws -> (TallyHead, [Line], TallyCosts) {
    try file.requireBeginningOfText()
    var (lines, starts): ([Line], [Range<Int>]) = ([], [])
    var count = 0
    let clip = Array(#"{"clip":"#.utf8)
    try file.forEachLine(longest: longestLine) { line, range in
      count = line
      if starts.count == 2 {
        _ = try Self.head(file, starts[0])
        throw DataError(file: file.name, line: line, expected: "nothing after the end", found: "another line")
      }
      let bytes = file.bytes[range]
      // The last line of a file that was cut off has no end.
      guard bytes.starts(with: clip), range.upperBound < file.bytes.count else { return starts.append(range) }
      var position = 0
      for byte in bytes.dropFirst(clip.count) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), position < 1 << 40 else { break }
        position = 10 * position + Int(byte - UInt8(ascii: "0"))
      }
      lines.append(Line(position: position, file: number, number: line, bytes: range))
    }
    let head = try head(file, starts.first ?? 0..<0)
    guard starts.count == 2, lines.count == head.clips,
      let end = try? JSONDecoder().decode(TallyEnd.self, from: file.bytes[starts[1]]).end
    else {
      throw DataError(
        file: file.name, line: max(1, count), expected: "\(NumberText.count(head.clips, "clip")) and the end",
        found: "\(NumberText.count(lines.count, "clip")): the file was cut off")
    }
    if let line = lines.first(where: { $0.position >= head.plan.clips }) {
      throw DataError(
        file: file.name, line: line.number, expected: "one of the \(head.plan.clips) clips", found: "\(line.position)")
    }
    return (head, lines, end)
  }

  private static func head(_ file: InputFile, _ range: Range<Int>) throws -> TallyHead {
    struct Format: Decodable { var plan: FormatNumber }
    do {
      let found = try JSONDecoder().decode(Format.self, from: file.bytes[range]).plan.format
      guard found == TallyPlan.currentFormat else {
        throw DataError(
          file: file.name, line: 1, expected: "format \(TallyPlan.currentFormat)",
          found: "format \(found), of another version of bench")
      }
      return try JSONDecoder().decode(TallyHead.self, from: file.bytes[range])
    } catch let error as DecodingError {
      throw DataError(file: file.name, line: 1, expected: "the head of a file of bench tally", found: error.words)
    }
  }

  /// Room for the times of a clip's frames and the tallies of many detectors.
  private static let longestLine = 1 << 26

  /// Memory is freed in pieces of this size.
  private static let piece = 1 << 24

  private static func id(_ line: Line, in files: [InputFile]) -> String? {
    struct Name: Decodable { var id: String }
    return try? JSONDecoder().decode(Name.self, from: files[line.file].bytes[line.bytes]).id
  }

  /// - Parameter plan: That of the run here.
  /// - Throws: `DataError` if the files are of another plan.
  func require(_ plan: TallyPlan) throws {
    if let difference = try plan.difference(from: self.plan) {
      throw DataError(
        file: files[0].name, line: 1, expected: "\(difference.expected), as in this project", found: difference.found)
    }
  }

  /// - Throws: `EvaluationError.missing` if a clip is missing.
  private func requireAll() throws {
    guard lines.count < plan.clips else { return }
    var absent = "; tally the others with bench tally --clips"
    if let count = shards.first??.count, shards.allSatisfy({ $0?.count == count }) {
      let missing = (1...count).filter { !shards.contains(Shard(index: $0, of: count)) }.map { "\($0)/\(count)" }
      let options = plan.options.joined(separator: " ")
      absent = ", without the shards \(Excerpt.list(missing))"
      if let first = missing.first {
        let file = "\(first.replacing("/", with: "-of-")).jsonl"
        absent += "; tally \(first) with: bench tally \(options) --shard \(first) --to \(file)"
      }
    }
    throw EvaluationError.missing(
      what: "tallies", expected: "all \(plan.clips) clips of suite \(plan.run.suite)",
      found: "\(lines.count)\(absent)")
  }

  /// Reads the tallies of the clips in their order.
  ///
  /// - Parameters:
  ///   - families: Of each detector, if the lines have the tallies of several.
  ///   - take: Called with each clip's tallies.
  /// - Throws: `DataError` with file and line for a line that is none, `EvaluationError.missing` if clips are missing.
  func forEach<Tally: Decodable & Sendable>(
    _ type: Tally.Type, families: [[any MetricFamily]] = [], threads: Int,
    isolation: isolated (any Actor)? = #isolation,
    progress: @Sendable (Int) throws -> Void, take: (Tally) throws -> Void
  ) async throws {
    try requireAll()
    let chunks = stride(from: 0, to: lines.count, by: Self.chunk).map { $0..<min($0 + Self.chunk, lines.count) }
    var freed = files.map { _ in 0 }
    try await inOrder(chunks.count, threads: threads) { chunk in
      let own = Array(lines[chunks[chunk]])
      return {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        if let key = TalliedClip.families { decoder.userInfo[key] = families }
        return try own.map { line in
          let file = files[line.file]
          do {
            return try decoder.decode(TallyLine<Tally>.self, from: file.bytes[line.bytes]).tally
          } catch let error as DecodingError {
            throw DataError(
              file: file.name, line: line.number, clip: Self.id(line, in: files), expected: "the tallies of a clip",
              found: error.words)
          }
        }
      }
    } take: { chunk, tallies in
      for tally in tallies { try take(tally) }
      for line in lines[chunks[chunk]] { free(line, &freed) }
      try progress(chunks[chunk].upperBound)
    }
  }

  private static let chunk = 32

  /// Frees the memory of lines that have been read.
  private func free(_ line: Line, _ freed: inout [Int]) {
    guard line.bytes.upperBound - freed[line.file] > Self.piece else { return }
    files[line.file].release(freed[line.file]..<line.bytes.upperBound)
    freed[line.file] = line.bytes.upperBound
  }

  /// Writes all clips to one file, in their order and unchanged.
  ///
  /// - Parameter progress: Called with the number of clips.
  public func write(to path: String, progress: (Int) throws -> Void) throws {
    let writer = try TallyWriter(path, plan: plan, shard: nil, clips: lines.count)
    var freed = files.map { _ in 0 }
    for (index, line) in lines.enumerated() {
      try writer.copy(files[line.file].bytes[line.bytes])
      free(line, &freed)
      try progress(index + 1)
    }
    try writer.finish(costs)
  }
}
