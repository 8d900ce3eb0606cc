import Datasets
import Files
import Foundation
import PoseModel

/// Labels from annotation tools and tables, for the clips of a dataset in the store.
public struct LabelImport {
  /// A fault that a rater marks anywhere.
  struct Mark: Hashable {
    var rater: String
    var fault: String
    var file: String
  }

  /// The numbers of labels, and of clips that they were added to.
  public struct Outcome: Hashable, Sendable {
    public var format: String
    public var clips: Int
    /// The number of labels of each kind in the files, by the kinds' names.
    public var counts: [String: Int]
    public var replaced: Int
    /// The frame rates of clips whose marks are frames of Label Studio's timeline, but for its own rate.
    public var timelineRates: Set<Double>
    public var content: ContentHash
  }

  /// The labels of one import are held in memory.
  private static let most = 300_000

  public let format: String
  private let mapping: LabelMapping
  /// The number of labels without a name, or with only a number, that are not reps.
  public var wordless: Int {
    annotations.count { LabelMapping.isWordless($0.0.label) && $0.1.kind != .rep && $0.1.kind != .ignore }
  }
  /// The labels of the intervals.
  public var intervals: Set<String> {
    let stated = table.compactMap { label -> String? in
      guard case .interval(_, _, let name) = label.value else { return nil }
      return name
    }
    return Set(annotations.filter { $0.1.kind == .interval }.map { $0.1.name ?? $0.0.label } + stated)
  }
  /// The number of annotations without a value that were left out, by track.
  public private(set) var empty: [String: Int] = [:]
  private var annotations: [(Annotation, LabelMapping.Rule)] = []
  private var table: [TableLabel] = []
  /// The clips whose labels were left out, each with the reason.
  public private(set) var leftOut: [(clip: String, why: String)] = []

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: A file, or a folder of files of one format.
  ///   - format: Its name; `nil` to recognise it from the files.
  ///   - mapping: The path of a mapping file.
  ///   - areReps: Whether labels without a name, or with only a number, are reps.
  /// - Throws: `DataError` with file and line.
  public init(from path: String, format: String?, mapping: String?, wordlessAreReps areReps: Bool = false) throws {
    var rules = try mapping.map { try LabelMapping(yaml: InputFile($0)) } ?? LabelMapping()
    rules.wordlessAreReps = areReps
    self.mapping = rules
    let type: any LabelFormat.Type
    if let format {
      let names = LabelFormats.all.map { $0.name }
      guard let known = LabelFormats.all.first(where: { $0.name == format }) else {
        throw DataError(
          file: path, expected: "one of the formats \(names.joined(separator: ", "))",
          found: NearNames.question(format, in: names))
      }
      type = known
    } else {
      type = self.mapping.table == nil ? try LabelFormats.recognised(path) : LabelTable.self
    }
    self.format = type.name
    let files = try LabelFormats.files(path, of: type)
    guard !files.isEmpty else {
      throw DataError(file: path, expected: "a file that ends in .\(type.ending), or a folder of them", found: "none")
    }
    for path in files {
      let file = try path.open()
      let own = try type.labels(file, mapping: self.mapping)
      table += own.labels
      leftOut += own.leftOut
      for found in try type.annotations(file, mapping: self.mapping) {
        let annotation = found.inPlainWords
        guard !annotation.isEmpty else {
          empty[annotation.track ?? "", default: 0] += 1
          continue
        }
        annotations.append((annotation, try self.mapping.rule(for: annotation)))
      }
      try Self.checkCount(annotations.count + table.count, file)
    }
    guard !annotations.isEmpty || !table.isEmpty else {
      let tracks = empty.keys.sorted()
      let others = leftOut.isEmpty ? "none" : "only labels of clips that are not done or unsure"
      throw DataError(
        file: path, expected: "at least one label",
        found: tracks.isEmpty ? others : "only annotations without a value, on \(Excerpt.list(tracks))")
    }
  }

  /// - Throws: `DataError` if there are too many labels to hold in memory.
  static func checkCount(_ count: Int, _ file: InputFile) throws {
    guard count > most else { return }
    throw DataError(
      file: file.name,
      expected: "at most \(most) labels at once; split them between two clips, and import the parts one by one",
      found: "\(count)")
  }

  /// Adds the labels to the clips of a dataset, all or none.
  ///
  /// - Parameter replacing: Whether existing labels may be replaced.
  /// - Throws: `DataError` with file and line if a clip or label is unknown or wrong, and `StoreError`.
  public func put(into dataset: StoredDataset, of store: Store, replacing: Bool) throws -> Outcome {
    let clips = try store.clipNames(of: dataset)
    var byClip: [String: (annotations: [(Annotation, LabelMapping.Rule)], table: [TableLabel])] = [:]
    var counts: [String: Int] = [:]
    var marks: Set<Mark> = []
    for (annotation, rule) in annotations where rule.kind != .ignore {
      let clip = try mapping.clip(of: annotation, among: clips)
      byClip[clip.name, default: ([], [])].annotations.append((annotation.timed(by: clip.recording), rule))
      counts["\(rule.kind.rawValue)s", default: 0] += 1
      if rule.kind == .fault {
        marks.insert(Mark(rater: rater(annotation), fault: rule.name ?? annotation.label, file: annotation.file))
      }
    }
    for label in table {
      let clip = try mapping.clip(of: label.place, among: clips).name
      byClip[clip, default: ([], [])].table.append(label)
      counts[label.value.kind, default: 0] += 1
    }
    var replaced = 0
    var timelineRates: Set<Double> = []
    var criteria: [Manifest.Criterion] = []
    let content = try store.relabel(dataset, clips: Set(byClip.keys)) { manifest in
      let manifest = try withCriteria(manifest)
      criteria = manifest.criteria
      return manifest
    } labels: { clip in
      var new = ClipLabels(clip, fps: mapping.fps)
      let found = byClip[clip.info.name]
      if clip.info.fps != LabelStudio.usualRate, found?.annotations.contains(where: { isOfTimeline($0.0) }) == true {
        timelineRates.insert(clip.info.fps)
      }
      for (annotation, rule) in found?.annotations ?? [] { try new.add(annotation, as: rule, rater: rater(annotation)) }
      for label in found?.table ?? [] { try new.add(label, rater: rater(label.place)) }
      let merged = try new.merged(with: clip.labels, replacing: replacing, criteria: criteria, marked: marks)
      replaced += merged.replaced
      return merged.labels
    }
    return Outcome(
      format: format, clips: byClip.count, counts: counts, replaced: replaced, timelineRates: timelineRates,
      content: content)
  }

  /// Whether a mark is frames that Label Studio counted at a rate which its files do not say.
  private func isOfTimeline(_ annotation: Annotation) -> Bool {
    guard [LabelStudio.name, LabelStudioTable.name].contains(format), mapping.fps == nil, mapping.times != .frames,
      case .frame = annotation.start
    else { return false }
    return true
  }

  /// The manifest with the mapping's criteria.
  private func withCriteria(_ manifest: Manifest) throws -> Manifest {
    var manifest = manifest
    for criterion in mapping.criteria {
      if let known = manifest.criteria.first(where: { $0.name == criterion.name }) {
        guard known == criterion else {
          throw DataError(
            file: manifest.name, expected: "\(known.name) on its scale from \(known.minimum) to \(known.maximum)",
            found: "a mapping with \(criterion.minimum) to \(criterion.maximum)")
        }
      } else {
        manifest.criteria.append(criterion)
      }
    }
    return manifest
  }

  private func rater(_ annotation: Annotation) -> String { annotation.rater ?? mapping.rater ?? "annotator" }
}

extension TableLabel.Value {
  /// The kind by the name of its table.
  fileprivate var kind: String {
    switch self {
    case .rep: "reps"
    case .count: "counts"
    case .event: "events"
    case .interval: "intervals"
    case .grade: "grades"
    case .fault: "faults"
    case .draft: "drafts"
    }
  }
}

/// A format of labels, one file per format; `LabelFormats.all` lists them.
protocol LabelFormat: Sendable {
  /// The name on the command line: `elan`.
  static var name: String { get }
  /// One sentence: what it reads, and its source.
  static var summary: String { get }
  /// The ending of its files' names, without the dot.
  static var ending: String { get }

  /// Whether a file with that ending is of this format, by its first bytes.
  static func recognises(_ file: InputFile) -> Bool

  /// - Throws: `DataError` with the file, and the line if the format has lines.
  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation]

  /// The labels of a file that states them directly, so that no rules apply, and the clips that it holds no finished
  /// labels of, each with the reason.
  ///
  /// - Throws: As `annotations`.
  static func labels(_ file: InputFile, mapping: LabelMapping) throws -> StatedLabels
}

/// Labels that need no mapping's rules.
struct StatedLabels {
  var labels: [TableLabel] = []
  var leftOut: [(clip: String, why: String)] = []
}

extension LabelFormat {
  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] { [] }
  static func labels(_ file: InputFile, mapping: LabelMapping) throws -> StatedLabels { StatedLabels() }
}

/// The formats of labels that can be imported.
public enum LabelFormats {
  static let all: [any LabelFormat.Type] = [
    AudacityLabels.self, BrowserLabels.self, CVAT.self, ELAN.self, LabelStudio.self, LabelStudioTable.self,
    LabelTable.self, VIA.self,
    VIATable.self,
  ]

  /// Name, summary and files' ending of each.
  public static let descriptions = all.map { (name: $0.name, summary: $0.summary, ending: $0.ending) }

  /// The format of a file or of all files of a folder.
  ///
  /// - Throws: `DataError` if no format matches, or the files are of several formats.
  static func recognised(_ path: String) throws -> any LabelFormat.Type {
    var found: [any LabelFormat.Type] = []
    for format in all {
      if try files(path, of: format).contains(where: { format.recognises(try $0.open()) }) { found.append(format) }
    }
    guard let format = found.first, found.count == 1 else {
      if found.isEmpty { try PackedFile.refuse(at: path) }
      throw DataError(
        file: path, expected: "labels of one of the formats \(all.map { $0.name }.joined(separator: ", "))",
        found: found.isEmpty ? "no such files" : "files of \(found.map { $0.name }.joined(separator: " and "))")
    }
    return format
  }

  /// The file, or those of a folder, with the ending of a format.
  static func files(_ path: String, of format: any LabelFormat.Type) throws -> [LabelFile] {
    guard let folder = SourceFolder(path) else {
      return path.lowercased().hasSuffix(".\(format.ending)") ? [LabelFile(name: path, folder: nil)] : []
    }
    return try folder.names(endingIn: format.ending).map { LabelFile(name: $0, folder: folder.path) }
  }
}

/// A label file that is not open yet: there may be one per frame, and a process can open only so many.
struct LabelFile {
  let name: String
  /// `nil` for a single given file.
  let folder: String?

  func open() throws -> InputFile { try folder.map { try InputFile(name, in: $0) } ?? InputFile(name) }
}

extension InputFile {
  /// The beginning of the file as text, up to 4 KiB.
  var beginning: String { String(decoding: bytes.prefix(4096).withoutByteOrderMark, as: UTF8.self) }

  /// The file's name without folder and ending.
  var stem: String { URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent }
}
