import Datasets
import Evaluation
import Pipeline
import PoseModel
import Statistics

/// The content and origin of a dataset on one card: its facts and the distributions of its clips.
public struct DatasetCard: Chart {
  public struct Fact: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The number of items of each kind.
  public struct Distribution: Hashable, Sendable {
    /// The counted items and the grouping: "clips by exercise".
    public var title: String
    public var counts: [Count]
    /// Whether the counts can be added: true for clips, false for shares of frames.
    public var areParts: Bool

    /// Whether all parts are equal, which a few words can say.
    fileprivate var isEven: Bool { areParts && !counts.isEmpty && Set(counts.map(\.count)).count == 1 }

    public init(title: String, counts: [Count], areParts: Bool = true) {
      self.title = title
      self.counts = counts
      self.areParts = areParts
    }
  }

  public struct Count: Hashable, Sendable {
    public var name: String
    public var count: Int

    public init(_ name: String, _ count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// The dataset's name.
  public var name: String
  /// Recorded or synthetic, and its licence.
  public var source: String
  public var clips: Int
  /// `nil` if unknown.
  public var subjects: Int?
  public var facts: [Fact]
  public var distributions: [Distribution]
  /// The limits of the data.
  public var cautions: [String]

  public init(
    name: String, source: String, clips: Int, subjects: Int?, facts: [Fact], distributions: [Distribution],
    cautions: [String] = []
  ) {
    self.name = name
    self.source = source
    self.clips = clips
    self.subjects = subjects
    self.facts = facts
    self.distributions = distributions
    self.cautions = cautions
  }

  /// `squat-sample: 36 clips of 12 subjects, balanced over views`
  public var title: String {
    let views = distributions.first { $0.title == Self.views }.map { $0.counts.filter { $0.count > 0 } } ?? []
    let most = views.max { ($0.count, $1.name) < ($1.count, $0.name) }
    let balance =
      views.count < 2
      ? ""
      : Set(views.map(\.count)).count == 1
        ? ", balanced over views" : ", \(most?.count ?? 0) of them \(most?.name ?? "") views"
    return "\(name): \(NumberText.size("clip", clips, subjects: subjects))\(balance)"
  }

  fileprivate static let views = "clips by view"

  public var subtitle: String {
    [source, NumberText.size("clip", clips, subjects: subjects)].joined(separator: " · ")
  }

  public var table: ChartTable {
    var rows: [[ChartTable.Cell]] = facts.map { ["fact", .text($0.name), .text($0.value)] }
    for part in distributions {
      rows += part.counts.map { [.text(part.title), .text($0.name), .count($0.count)] }
    }
    rows += cautions.map { ["caution", .empty, .text($0)] }
    return ChartTable(
      ["part", "name", "value"],
      rows: rows)
  }

  /// Distributions with equal bars, as facts: `clips by person: s01 to s12, 3 each`.
  private var even: [Fact] {
    distributions.filter(\.isEven).map { distribution in
      let (counts, each) = (distribution.counts, distribution.counts.first?.count ?? 0)
      // Names without numbers have no range.
      let limit = counts.allSatisfy { $0.name.contains(where: \.isNumber) } ? 4 : 8
      let names =
        counts.count <= limit
        ? counts.map(\.name).joined(separator: ", ") : "\(counts[0].name) to \(counts[counts.count - 1].name)"
      return Fact(distribution.title, counts.count == 1 ? "\(names), \(each)" : "\(names), \(each) each")
    }
  }

  private var allFacts: [Fact] { facts + even }
  private var drawn: [Distribution] { distributions.filter { !$0.isEven } }

  /// The height of the content.
  public func bodyHeight(on page: Page) -> Double? {
    let width = page.bodyWidth
    let right = page.isNarrow ? width : 0.6 * width - 16
    var tops = [0.0, 0]
    for distribution in drawn { tops[tops[0] <= tops[1] ? 0 : 1] += height(of: distribution) + 22 }
    let left = factsHeight(ofWidth: page.isNarrow ? width : 0.4 * width - 28)
    let lists = page.isNarrow && right < 480 ? tops[0] + tops[1] : max(tops[0], tops[1])
    return max(220, 10 + (page.isNarrow ? left + 24 + lists : max(left, lists)))
  }

  private let rowHeight = 27.0
  private let rowLimit = 9

  private func height(of distribution: Distribution) -> Double {
    36 + rowHeight * Double(max(1, min(distribution.counts.count, rowLimit + 1)))
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let area = Rect(left: area.left, top: area.top + 10, right: area.right, bottom: area.bottom)
    guard !canvas.page.isNarrow else {
      let split = area.top + factsHeight(ofWidth: area.width)
      drawFacts(on: canvas, Rect(left: area.left, top: area.top, right: area.right, bottom: split))
      canvas.line(from: Point(x: area.left, y: split + 8), to: Point(x: area.right, y: split + 8), .grid, width: 2)
      return drawDistributions(
        on: canvas, Rect(left: area.left, top: split + 24, right: area.right, bottom: area.bottom))
    }
    let split = area.left + area.width * 0.4
    drawFacts(on: canvas, Rect(left: area.left, top: area.top, right: split - 28, bottom: area.bottom))
    canvas.line(from: Point(x: split - 8, y: area.top), to: Point(x: split - 8, y: area.bottom), .grid, width: 2)
    drawDistributions(on: canvas, Rect(left: split + 16, top: area.top, right: area.right, bottom: area.bottom))
  }

  private func namesWidth(in width: Double) -> Double {
    min(0.45 * width, allFacts.map { TextStyle.note.width(of: $0.name) }.max() ?? 0)
  }

  /// The maximum number of lines per fact.
  private let lineLimit = 4

  private func lines(of fact: Fact, width: Double) -> [String] {
    TextStyle.note.lines(of: fact.value, width: width - namesWidth(in: width) - 16, limit: lineLimit)
  }

  private func height(of fact: Fact, width: Double) -> Double {
    5 + TextStyle.note.lineHeight * Double(max(1, lines(of: fact, width: width).count))
  }

  private func factsHeight(ofWidth width: Double) -> Double {
    allFacts.reduce(0) { $0 + height(of: $1, width: width) }
      + (cautions.isEmpty ? 0 : 16 + words.height(ofWidth: width, isNarrow: false))
  }

  private var words: SideColumn {
    var words = SideColumn()
    guard !cautions.isEmpty else { return words }
    words.paragraph("Limits", .heading)
    for caution in cautions { words.paragraph(caution, .note) }
    return words
  }

  private func drawFacts(on canvas: Canvas, _ area: Rect) {
    let names = namesWidth(in: area.width)
    var y = area.top
    for fact in allFacts {
      let height = height(of: fact, width: area.width)
      guard y + height <= area.bottom + 0.01 else { break }
      canvas.text(
        fact.name, at: Point(x: area.left, y: y), Anchor(.left, .top), .note.colored(.quiet), maxWidth: names)
      for (index, line) in lines(of: fact, width: area.width).enumerated() {
        let place = Point(x: area.left + names + 16, y: y + TextStyle.note.lineHeight * Double(index))
        canvas.text(line, at: place, Anchor(.left, .top), .note)
      }
      y += height
    }
    words.draw(on: canvas, in: Rect(left: area.left, top: y + 16, right: area.right, bottom: area.bottom + 6))
  }

  /// Draws in two columns, each item in the shorter column; in one column if two are too narrow.
  private func drawDistributions(on canvas: Canvas, _ area: Rect) {
    let columns = area.width < 480 ? 1 : 2
    let width = columns == 1 ? area.width : (area.width - 32) / 2
    var tops = [area.top, columns == 1 ? .infinity : area.top]
    for distribution in drawn {
      let column = tops[0] <= tops[1] ? 0 : 1
      let height = height(of: distribution)
      guard tops[column] + height <= area.bottom + 1 else { continue }
      draw(
        distribution, on: canvas,
        Rect(x: area.left + Double(column) * (width + 32), y: tops[column], width: width, height: height))
      tops[column] += height + 22
    }
  }

  private func draw(_ distribution: Distribution, on canvas: Canvas, _ area: Rect) {
    canvas.text(
      distribution.title, at: Point(x: area.left, y: area.top), Anchor(.left, .top), TextStyle(size: 17, isBold: true),
      maxWidth: area.width)
    let shown = rows(of: distribution)
    guard !shown.isEmpty else {
      canvas.text("none", at: Point(x: area.left, y: area.top + 34), Anchor(.left, .top), .note.colored(.quiet))
      return
    }
    let most = Double(max(1, shown.map(\.count).max() ?? 1))
    let names = min(0.5 * area.width, shown.map { canvas.width(of: $0.name, .note) }.max() ?? 0)
    let numbers = shown.map { canvas.width(of: "\($0.count)", .note) }.max() ?? 0
    let left = area.left + names + 10
    let room = max(4, area.right - left - numbers - 8)
    let short = TextStyle.note.shortened(shown.map(\.name), to: names)
    for (index, row) in shown.enumerated() {
      let y = area.top + 36 + rowHeight * (Double(index) + 0.5)
      canvas.text(short[index], at: Point(x: left - 10, y: y), Anchor(.right, .middle), .note, maxWidth: names)
      let length = room * Double(max(0, row.count)) / most
      if length > 0 { canvas.fill(Rect(x: left, y: y - 9, width: max(1, length), height: 18), .neutral) }
      canvas.text("\(row.count)", at: Point(x: left + length + 6, y: y), Anchor(.left, .middle), .note)
    }
  }

  /// The first rows; if there are too many, the last row has the sum of the others, or their maximum.
  private func rows(of distribution: Distribution) -> [Count] {
    let counts = distribution.counts
    guard counts.count > rowLimit + 1 else { return counts }
    let others = counts.dropFirst(rowLimit)
    let rest =
      distribution.areParts
      ? Count("\(others.count) others", others.reduce(0) { $0 + max(0, $1.count) })
      : Count("\(others.count) others, max", others.map(\.count).max() ?? 0)
    return counts.prefix(rowLimit) + [rest]
  }
}

/// A summary of a dataset's content, for printing and drawing.
public struct DatasetSummary {
  public let dataset: StoredDataset
  public let clips: [StoredClip]
  public private(set) var frames = 0
  /// The total time from each clip's first to its last frame.
  public private(set) var seconds = 0.0
  /// The number of frames without any joint.
  public private(set) var emptyFrames = 0
  /// The number of frames without each joint of the skeleton; excludes empty frames.
  public private(set) var missing: [(joint: Joint, frames: Int)]

  /// Reads all poses, one clip at a time.
  ///
  /// - Parameter progress: Called before each clip with the number of finished clips.
  public init(_ dataset: StoredDataset, in store: Store, progress: (Int) throws -> Void) throws {
    self.dataset = dataset
    clips = try store.clips(of: dataset)
    let skeleton = Skeleton.named(dataset.manifest.skeleton)
    missing = Joint.allCases.filter { skeleton?[$0] != nil && $0 != .neck && $0 != .root }.map { ($0, 0) }
    for (index, stored) in clips.enumerated() {
      try progress(index)
      guard stored.hasPoses else { continue }
      let poses = try PreparedClip(stored, of: dataset, in: store, under: ReplayConditions()).poses
      frames += poses.frameCount
      if let last = poses.times.last, let first = poses.times.first { seconds += (last - first).seconds }
      for frame in 0..<poses.frameCount {
        let absent = missing.indices.filter { !poses[missing[$0].joint, .x, frame].isFinite }
        if absent.count == missing.count {
          emptyFrames += 1
        } else {
          for place in absent { missing[place].frames += 1 }
        }
      }
    }
  }

  /// The metadata of its picture.
  ///
  /// - Parameter bench: The version of the program.
  public func metadata(bench: String) -> [(key: String, value: String)] {
    [
      (key: "Software", value: "bench \(bench)"),
      (key: "Content", value: "\(dataset.manifest.name) \(dataset.content?.description ?? "unfinished")"),
    ]
  }

  /// The summary as a chart.
  public var card: DatasetCard {
    let manifest = dataset.manifest
    var facts = [
      DatasetCard.Fact("version", manifest.version), .init("licence", manifest.licence),
      .init("source", manifest.source),
      .init("skeleton", manifest.skeleton), .init("unit", unit),
      .init("frames", "\(frames), \(NumberText.fixed(seconds / 60, decimals: 1)) min"),
      .init("reps", "\(reps.count), marked in \(reps.marked) clips"),
      .init("content", dataset.content?.short ?? "unfinished"),
    ]
    if frames > 0 { facts.append(.init("no person detected", "in \(share(emptyFrames)) of the frames")) }
    if !raters.isEmpty { facts.append(.init("raters", "\(raters.count)")) }
    if let expires = dataset.expires { facts.append(.init("expires", "\(expires)")) }
    func distribution(
      _ title: String, _ counts: [(String, Int)], areParts: Bool = true
    ) -> DatasetCard.Distribution {
      .init(title: title, counts: counts.map { .init($0.0, $0.1) }, areParts: areParts)
    }
    var distributions = [
      distribution("clips by exercise", counts(\.info.exercise)), distribution(DatasetCard.views, counts(\.info.view)),
      distribution("clips by frame rate (fps)", frameRates),
      distribution("clips by person", counts(\.info.subject)), distribution("labels by kind", labelKinds),
    ]
    if frames > emptyFrames {
      distributions.append(
        distribution(
          "missing in 1,000 frames",
          missing.filter { $0.frames > 0 }.sorted { $0.frames > $1.frames }.map {
            ($0.joint.name.replacing("_", with: " "), perThousand($0.frames))
          }, areParts: false))
    }
    return DatasetCard(
      name: manifest.name, source: "\(manifest.origin == .synthetic ? "SYNTHETIC" : "recorded") · \(manifest.licence)",
      clips: clips.count, subjects: subjects.count, facts: facts, distributions: distributions,
      cautions: manifest.caveat.map { [$0] } ?? [])
  }

  public var subjects: Set<String> { Set(clips.map(\.info.subject)) }

  /// The number of reps, and the number of clips with marked reps.
  public var reps: (count: Int, marked: Int) {
    (clips.compactMap(\.labels.repCount).reduce(0, +), clips.count { $0.labels.reps != nil })
  }

  public var raters: [String] {
    Set(clips.flatMap { $0.labels.grades.map(\.rater) + $0.labels.faults.map(\.rater) }).sorted()
  }

  /// An image's shape: `portrait, 9:16`.
  private static func shape(_ aspect: Double) -> String {
    let usual = [(1, 1), (4, 3), (3, 2), (16, 9)].flatMap { [$0, ($0.1, $0.0)] }
    let ratio = usual.first { abs(aspect * Double($0.1) / Double($0.0) - 1) < 0.005 }
    let direction = abs(aspect - 1) < 0.005 ? "square" : aspect < 1 ? "portrait" : "landscape"
    return "\(direction), " + (ratio.map { "\($0.0):\($0.1)" } ?? "\(NumberText.fixed(aspect, decimals: 2)):1")
  }

  /// The unit of the coordinates, in words.
  public var unit: String {
    switch dataset.manifest.coordinates.unit {
    case .image(let aspect): "shares of the image, \(Self.shape(aspect))"
    case .pixel(let height): "pixels, image height \(NumberText.plain(height))"
    case .metre: "metre"
    case .relative: "relative: proportions within a frame only"
    }
  }

  private var labelKinds: [(String, Int)] {
    let labels = clips.map(\.labels)
    return [
      ("reps", labels.reduce(0) { $0 + ($1.reps?.count ?? 0) }), ("events", labels.reduce(0) { $0 + $1.events.count }),
      ("intervals", labels.reduce(0) { $0 + $1.intervals.count }),
      ("grades", labels.reduce(0) { $0 + $1.grades.count }),
      ("faults", labels.reduce(0) { $0 + $1.faults.count }),
    ].filter { $0.1 > 0 }
  }

  private func perThousand(_ count: Int) -> Int {
    Int((Double(count) / Double(max(1, frames)) * 1000).rounded())
  }

  /// The count as a share of the frames, or of `all`: `12.5 %`
  public func share(_ count: Int, of all: Int? = nil) -> String {
    NumberText.fixed(Double(count) / Double(max(1, all ?? frames)) * 100, decimals: 1) + " %"
  }

  /// The number of clips per value.
  public func counts(_ value: (StoredClip) -> String) -> [(String, Int)] {
    Dictionary(grouping: clips, by: value).map { ($0.key.isEmpty ? "unknown" : $0.key, $0.value.count) }
      .sorted { $0.0 < $1.0 }
  }

  /// The number of clips per frame rate, rounded to two decimals, the slowest first.
  public var frameRates: [(String, Int)] {
    Dictionary(grouping: clips) { ($0.info.fps * 100).rounded() / 100 }.sorted { $0.key < $1.key }
      .map { (NumberText.plain($0.key), $0.value.count) }
  }
}

extension ChartRecipe {
  static let card = ChartRecipe(
    "card", "A dataset's contents and source.",
    needs: "a run, whose datasets it draws; or --dataset",
    takes: [.run, .dataset]
  ) { context in
    let catalogue = DatasetCatalogue(project: context.project, store: context.store)
    let datasets: [StoredDataset]
    if let name = context.dataset {
      datasets = [try catalogue.dataset(named: name)]
    } else {
      let results = try context.storedRun().results
      datasets = try results.datasets.map { try catalogue.dataset(named: $0.name, keptAs: $0.content) }
      for (dataset, seen) in zip(datasets, results.datasets) where dataset.content?.description != seen.content {
        throw EvaluationError.missing(
          what: "dataset \(seen.name)", expected: "the content of the run, \(seen.content)",
          found: dataset.content?.description ?? "an unfinished import")
      }
    }
    return try datasets.map { dataset in
      let summary = try DatasetSummary(dataset, in: context.store) { _ in }
      return Picture(
        summary.card, part: datasets.count > 1 ? dataset.manifest.name : "",
        metadata: summary.metadata(bench: context.bench))
    }
  }
}
