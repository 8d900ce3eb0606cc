import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Importers
import Pipeline
import PoseModel
import Reports
import Simulation
import Statistics

struct DatasetImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a dataset into the store.",
    discussion: """
      Formats:
      \(formats)

      Without a format, the format is detected. A source of several datasets, such as one for each of two pose \
      estimators, imports each as NAME-PART, all or none. Importing the same content again only sets a new expiry date.

      A recording that cannot be read is left out and listed with file, line and reason. Mend it and run the same \
      command again: it adds the clip, and keeps the others with their labels. --strict imports all recordings or \
      none. A dataset folder, an archive and a table of all clips must be right as a whole.

      With several people in a frame, the subject is the one who moves most, if that is clear, or else the one with the \
      highest confidence over the clip; --person chooses another. For each clip, notes name the chosen person and the \
      missing frames and keypoints.

      Motion capture is 3D, in metres. With --camera, it is projected to the 2D image of a camera without errors: \
      front or side (the subject's left), or azimuth (degrees from where the subject faces, positive to the \
      subject's left), elevation (degrees above level) and the image's vertical field of view.

      Example: bench dataset import repcount-pose --from ~/RepCount-pose
      Example: bench dataset import trc --from squats.trc --exercise squat --camera side
      """)

  private static var formats: String {
    ([
      "  \(folderFormat): a dataset folder as in docs/dataset-format.md, or one with a recipe.yaml",
      "  \(archiveFormat): a dataset folder encrypted by bench dataset export --encrypt",
    ]
      + Importers.all.map { "  \($0.format): \($0.summary)" }).joined(separator: "\n")
  }

  static let folderFormat = "folder"
  static let archiveFormat = "archive"

  @Argument(help: "The format. (default: detected)") var format: String?
  @Option(help: ArgumentHelp("The folder or file to import.", valueName: "path")) var from: String
  @Option(help: "Name of the dataset. (default: the format's or the folder's own name)") var name: String?
  @Option(
    // An azimuth may be negative.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Project 3D motion to a camera's image: \(VirtualCamera.description).", valueName: "camera"), transform: camera)
  var camera: VirtualCamera?
  @Option(help: ArgumentHelp("Import only these clips, one name a line.", valueName: "file")) var clips: String?
  @Flag(help: "Print how the first recording is read and draw three of its frames; store nothing.") var look = false
  @Flag(help: "Import all recordings or none: stop at the first one that cannot be read.") var strict = false
  @OptionGroup(title: "Facts missing in the files") var details: ImportDetailOptions
  @Option(
    help: ArgumentHelp(
      "Expiry: a day (2027-03-01) or days from now (30d); see purge.", valueName: "date"))
  var expires: String?
  @OptionGroup var secret: PassphraseOptions
  @OptionGroup var storage: StoreOptions

  private static func camera(_ text: String) throws -> VirtualCamera {
    guard let camera = VirtualCamera(text) else {
      throw ValidationError("--camera takes \(VirtualCamera.description), found \"\(text)\"")
    }
    return camera
  }

  func validate() throws {
    if let name, !PortableName.isValid(name) {
      throw ValidationError("--name takes \(PortableName.description), found \"\(name)\"")
    }
    if let expires {
      guard let day = Expiry(expires) else {
        throw ValidationError("--expires takes \(Expiry.expected), found \"\(expires)\"")
      }
      guard !day.hasPassed() else {
        throw ValidationError(
          "--expires takes a future day, found \"\(expires)\": commands refuse an expired dataset")
      }
    }
  }

  func run() throws {
    guard FileManager.default.fileExists(atPath: from) else {
      throw EvaluationError.missing(what: from, expected: "a file or folder to import", found: "nothing there")
    }
    let format = try self.format ?? (details.mapping == nil ? recognisedFormat() : mappedFormat())
    if format == Self.folderFormat {
      if let option = details.options(name: nil).given.first {
        throw EvaluationError.usage("\(ImportOptionError.notFor(format: format, option: option, known: []))")
      }
      if FileManager.default.fileExists(atPath: "\(from)/\(DatasetRecipe.file)") {
        try take([NamedSource(RenamedSource(try DatasetRecipe(from), name: name))], as: format)
      } else {
        try take([NamedSource(RenamedSource(try DatasetFolder(from), name: name))], as: format)
      }
    } else if format == Self.archiveFormat {
      let archive = try OpenedArchive(
        from, passphrase: secret.passphrase(for: from, isNew: false), beside: storage.open())
      try take([NamedSource(RenamedSource(try DatasetFolder(archive.folder), name: name))], as: format)
    } else if let importer = Importers.all.first(where: { $0.format == format }) {
      let sources = try datasets(importer)
      if look {
        Terminal.out(.lines(detected(format)))
        for source in sources { try show(source) }
        return
      }
      try take(
        sources.map { source in
          let imported = ImportedSource(source)
          return NamedSource(imported) { Self.notes(source.remarks) + Self.notes(imported.remarks) }
        }, as: format, leavingOut: !strict)
    } else {
      throw EvaluationError.usage(
        "expected one of the formats \(Self.known.joined(separator: ", ")), found "
          + NearNames.question(format, in: Self.known))
    }
  }

  /// The detected format; empty if it was given.
  private func detected(_ format: String) -> [String] { self.format == nil ? ["Detected format: \(format)"] : [] }

  private func datasets(_ importer: any Importer.Type) throws -> [any Importer] {
    do {
      return try Importers.datasets(importer, from: from, options: details.options(name: name))
    } catch let error as ImportOptionError {
      throw EvaluationError.usage("\(error)")
    }
  }

  /// Prints how a dataset's first recording is read, and draws some of its frames.
  private func show(_ source: any Importer) throws {
    let (clip, remarks) = try source.read(0)
    let poses = try clip.poses(source.manifest)
    let skeleton = Skeleton.named(source.manifest.skeleton) ?? .common
    let moments = Moments(poses: poses, bones: skeleton.bones).sampled(3)
    let strip = SkeletonStrip(
      clip: clip.info.name, source: source.manifest.name, moments: moments,
      finding: "Three frames of \(clip.info.name), as they are read")
    let path = "\(clip.info.name)-look.png"
    try writeWhole(
      Data(try png(strip, width: 1200, scale: 1, theme: .light, metadata: [(key: "Clip", value: clip.info.name)])),
      to: path)
    let seconds = poses.times.last.map { $0.seconds } ?? 0
    Terminal.out(
      .lines(
        [
          "\(clip.info.name), the first of \(NumberText.count(source.clipCount, "clip")): "
            + "\(NumberText.count(poses.frameCount, "frame")) in \(NumberText.plain(seconds, decimals: 2)) s, read as \(source.manifest.skeleton)"
        ] + source.account.map { "  \($0)" } + Self.notes(source.remarks + remarks) + [
          "drew \(path); nothing was stored"
        ]))
  }

  private static var known: [String] { [folderFormat] + Importers.all.map { $0.format } + [archiveFormat] }

  /// The only format that matches the path.
  private func recognisedFormat() throws -> String {
    var formats = Importers.sets.filter { $0.recognises(from) }.map { $0.format }
    if ["dataset.yaml", DatasetRecipe.file].contains(where: { FileManager.default.fileExists(atPath: "\(from)/\($0)") })
    {
      formats.append(Self.folderFormat)
    }
    if DatasetArchive.recognises(from) { formats.append(Self.archiveFormat) }
    if formats.isEmpty { formats = Importers.recognising(from).map { $0.format } }
    guard let format = formats.first else { throw Importers.unknown(from, known: Self.known) }
    guard formats.count == 1 else {
      throw EvaluationError.usage(
        "\(from) matches the formats \(formats.joined(separator: " and ")): name one of them")
    }
    return format
  }

  /// The only format with a mapping that matches the path; the mapped format if none matches.
  private func mappedFormat() throws -> String {
    let formats = Importers.recognising(from).filter { $0.options.contains(.mapping) }.map { $0.format }
    guard formats.count < 2 else {
      throw EvaluationError.usage(
        "\(from) matches the formats \(formats.joined(separator: " and ")): name one of them")
    }
    return formats.first ?? MappedPoses.format
  }

  /// At most ten, and the number of others.
  private static func notes(_ remarks: [String]) -> [String] {
    let rest = remarks.count - 10
    return remarks.prefix(10).map { "note: \($0.visible)" } + (rest > 0 ? ["note: \(rest) more of this kind"] : [])
  }

  /// An import and its notes, which are complete after all its clips have been read.
  private struct NamedSource {
    var source: any DatasetSource
    var remarks: () -> [String]

    init(_ source: any DatasetSource, remarks: @escaping () -> [String] = { [] }) {
      self.source = source
      self.remarks = remarks
    }
  }

  /// The source unchanged, or as the camera sees it.
  private func seen(_ source: some DatasetSource) throws -> any DatasetSource {
    guard let camera else { return source }
    return try CameraSource(source, camera: camera, name: name == nil ? nil : source.manifest.name)
  }

  /// The sources with the clips of `--clips` only.
  private func chosen(_ named: [NamedSource]) throws -> [NamedSource] {
    guard let clips else { return named }
    let chosen = try ClipList(InputFile(clips)).chosen(from: named.map(\.source))
    return zip(named, chosen).compactMap { item, source in source.map { NamedSource($0, remarks: item.remarks) } }
  }

  /// Imports all datasets or none.
  ///
  /// - Parameters:
  ///   - format: Their format.
  ///   - leavingOut: Whether clips that cannot be read are left out.
  private func take(_ all: [NamedSource], as format: String, leavingOut: Bool = false) throws {
    let named = try chosen(all)
    let sources = try named.map { try seen($0.source) }
    let store = try storage.open()
    let total = sources.reduce(0) { $0 + $1.clipCount }
    let bar = ProgressBar("importing", total: total)
    let before = sources.indices.map { sources[..<$0].reduce(0) { $0 + $1.clipCount } }
    let outcomes: [ImportOutcome]
    var (done, bytes) = (0, 0)
    var leftOut = [[DataError]](repeating: [], count: sources.count)
    do {
      defer { bar.finish() }
      var finished = 0
      outcomes = try store.importing(
        sources, expires: expires.flatMap { Expiry($0) },
        leavingOut: { index, error in
          guard leavingOut else { throw error }
          leftOut[index].append(error)
        },
        progress: { index, progress in
          if progress.clips == 1 { finished = bytes }
          done = before[index] + progress.clips
          bytes = finished + progress.bytes
          try bar.update(done, bytes: bytes)
        })
    } catch is CancellationError {
      let names = sources.map(\.manifest.name).joined(separator: " and ")
      throw Interrupted(
        description: "interrupted: \(done) of \(NumberText.count(total, "clip")) of \(names) are kept; "
          + "run the same command to continue")
    }
    var lines = try sources.indices.flatMap { index in
      try result(of: sources[index], outcomes[index], leftOut[index], in: store) + named[index].remarks()
    }
    lines.insert(contentsOf: detected(format), at: min(1, lines.count))
    // By content: another import of the same name may be under way.
    let contents = outcomes.map(\.content)
    let stored = try store.datasets().filter { $0.content.map(contents.contains) ?? false }
    let exercises = Set(try stored.flatMap { try store.clips(of: $0) }.map(\.info.exercise))
    let planes = zip(sources, outcomes).compactMap { source, outcome in note(onPlaneOf: source.manifest, outcome) }
    Terminal.out(.lines(lines + planes + (try notes(onExercises: exercises))))
  }

  /// What happened to a dataset, and the clips that were left out.
  ///
  /// - Throws: With `--strict` the `DataError` of a clip that an earlier import left out.
  private func result(
    of source: any DatasetSource, _ outcome: ImportOutcome, _ leftOut: [DataError], in store: Store
  ) throws -> [String] {
    let name = source.manifest.name
    let total = NumberText.count(source.clipCount, "clip")
    let rest = leftOut.isEmpty ? "" : "; \(leftOut.count) left out"
    let first: String
    switch outcome {
    case .unchanged(let content):
      let stored = try store.datasets().first { $0.manifest.name == name && $0.content == content }
      if let folder = stored?.folder {
        first =
          "\(name) needs no import: it is read from \(folder), with the same content \(content.short); "
          + "to store a copy, import it under another --name"
      } else {
        let missing = source.clipCount - (stored?.clipCount ?? source.clipCount)
        if strict, missing > 0 {
          for index in 0..<source.clipCount { _ = try source.clip(index) }
        }
        first =
          "\(name) is already in the store with the same content \(content.short)"
          + (missing > 0 ? ", without \(missing) of its \(total): --strict names the first" : "")
      }
    case .imported(let content, let clips, let resumed):
      first =
        "imported " + (leftOut.isEmpty ? NumberText.count(clips, "clip") : "\(clips) of \(total)")
        + " as \(name), content \(content)" + rest
        + (resumed > 0 ? "; \(resumed) came from an interrupted import" : "")
    case .extended(let content, let added, let clips):
      first =
        "added \(NumberText.count(added, "clip")) to \(name), which now has \(clips) of \(total), content \(content)"
        + rest
    }
    guard !leftOut.isEmpty else { return [first] }
    return [first] + leftOut.prefix(Self.listed).map { "left out: \($0)" }
      + (leftOut.count > Self.listed ? ["left out: \(leftOut.count - Self.listed) more"] : [])
      + ["Mend what was left out and run the same command again to add it"]
  }

  /// The maximum number of clips that are listed as left out.
  private static let listed = 20

  /// A note on a new dataset in 3D: what detectors measure in it, and the camera that gives what a phone sees.
  private func note(onPlaneOf manifest: Manifest, _ outcome: ImportOutcome) -> String? {
    if case .unchanged = outcome { return nil }
    // Estimators have y down.
    let coordinates = manifest.coordinates
    guard coordinates.unit == .metre, coordinates.yAxis == .up, manifest.channels.contains(.z) else { return nil }
    return "note: \(manifest.name) is 3D in metres: detectors with usesDepth on, such as reps-any, measure in space, "
      + "all others in the x-y plane of the recording, whichever way people face; for the picture of a phone import "
      + "again with --camera side --name \(manifest.name)-side"
  }

  /// A note on each exercise that no detector supports, with the known ones of a similar name.
  private func notes(onExercises exercises: Set<String>) throws -> [String] {
    let known = Set(try Bench.registry.detectors.map(\.profile.exercise)).subtracting([""])
    return exercises.subtracting(known).sorted().compactMap { exercise in
      let near = NearNames.of(exercise, in: known)
      let isAsked = exercise == details.exercise
      // Research datasets have exercises that nobody counts.
      guard isAsked || !near.isEmpty else { return nil }
      return "note: no detector supports \(exercise)"
        + (near.isEmpty
          ? "; supported exercises: \(known.sorted().joined(separator: ", "))"
          : ": did you mean \(near.joined(separator: " or "))? "
            + (isAsked ? "Import again with --exercise \(near[0])" : "Rename it and import again"))
    }
  }
}

/// An importer's dataset, with its remarks on clips collected while reading.
private final class ImportedSource: DatasetSource {
  private let base: any Importer
  private(set) var remarks: [String] = []

  init(_ base: any Importer) { self.base = base }

  var manifest: Manifest { base.manifest }
  var clipCount: Int { base.clipCount }
  func digest() throws -> ContentHash { try base.digest() }

  func clip(_ index: Int) throws -> Clip {
    let (clip, remarks) = try base.read(index)
    self.remarks += remarks
    return clip
  }

  func clipName(_ index: Int) throws -> String { try base.clipName(index) }
}

/// A source under another name.
private struct RenamedSource<Base: DatasetSource>: DatasetSource {
  let base: Base
  let manifest: Manifest

  init(_ base: Base, name: String?) {
    self.base = base
    var manifest = base.manifest
    manifest.name = name ?? manifest.name
    self.manifest = manifest
  }

  var clipCount: Int { base.clipCount }
  func digest() throws -> ContentHash { try base.digest() }
  func clip(_ index: Int) throws -> Clip { try base.clip(index) }
  func clipName(_ index: Int) throws -> String { try base.clipName(index) }
}

/// Facts that recordings lack; each format uses those that it needs.
struct ImportDetailOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Frames per second.", valueName: "n")) var fps: Double?
  @Option(help: ArgumentHelp("Width and height of the image in pixels, such as 1920x1080.", valueName: "WxH"))
  var size: ImageSize?
  @Option(help: "Exercise of the clips; for ui-prmd those to import, such as squat,lunge.") var exercise: String?
  @Option(help: "View of the camera: front, side or oblique.") var view: String?
  @Option(help: "The person, if all clips are of one. (default: one person per clip)")
  var subject: String?
  @Option(
    help: ArgumentHelp(
      "Meaning of the folders between the path and a clip, in order: subject, exercise, view, split, or - for no meaning.",
      valueName: "a/b/c"))
  var folders: FolderMeanings?
  @Option(
    help: ArgumentHelp(
      "A YAML file that names the columns (mapped), the markers or the keypoints (yolo-pose).", valueName: "file"))
  var mapping: String?
  @Option(help: ArgumentHelp("The axis that points up in motion capture: y, z, -y …", valueName: "axis")) var up:
    WorldAxis?
  @Option(help: ArgumentHelp("Length of one unit of motion capture in metres.", valueName: "metres")) var unit: Double?

  @Option(
    help: ArgumentHelp(
      "Cut continuous recordings into sets of this many reps, drawn from a fixed seed: 2-8. (default: whole recordings)",
      valueName: "min-max"))
  var sets: SetRange?
  @Option(help: ArgumentHelp("Order of numbered keypoints, such as coco-17.", valueName: "name")) var skeleton: String?
  @Option(
    help: ArgumentHelp(
      "Which of a keypoint's numbers points right, down and away: y,x, or x,-y for a y that grows upwards.",
      valueName: "axes"))
  var axes: KeypointAxes?
  @Option(
    help: ArgumentHelp(
      "The person to follow among several: largest, moving, or a number. (default: who moves most, if that is clear)",
      valueName: "who"))
  var person: PersonChoice?
  @Option(
    help: ArgumentHelp(
      "Columns that label frames, such as rep,phase: rep gives reps, others intervals.",
      valueName: "columns"))
  var labels: String?
  @Flag(help: "Make each rep a clip, instead of joining continuous recordings into sets.") var single = false

  func validate() throws {
    if sets != nil, single { throw ValidationError("give either --sets or --single") }
    if let fps, !Clip.Info.frameRates.contains(fps) {
      throw ValidationError("--fps takes \(Clip.Info.frameRateDescription) frames a second, found \(fps)")
    }
    if let unit, !(unit > 0 && unit.isFinite) { throw ValidationError("--unit takes a number above 0, found \(unit)") }
    let exercises = exercise.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    for (name, value) in exercises.map({ ("--exercise", Optional($0)) }) + [("--subject", subject)] {
      if let value, !PortableName.isValid(value) {
        throw ValidationError("\(name) takes \(PortableName.description), found \"\(value)\"")
      }
    }
    if let skeleton, !Importers.skeletons.contains(skeleton) {
      throw ValidationError(
        "--skeleton takes one of \(Importers.skeletons.joined(separator: ", ")), found \"\(skeleton)\"")
    }
    if let view, !["front", "side", "oblique"].contains(view) {
      throw ValidationError("--view takes front, side or oblique, found \"\(view)\"")
    }
  }

  func options(name: String?) -> ImportOptions {
    var options = ImportOptions(name: name)
    options.fps = fps
    options.size = size
    options.exercise = exercise
    options.view = view
    options.subject = subject
    options.folders = folders?.meanings
    options.mapping = mapping
    options.up = up
    options.unit = unit
    options.sets = sets?.lengths
    options.isSingle = single
    options.skeleton = skeleton
    options.axes = axes
    options.person = person
    options.labels = labels.map { $0.split(separator: ",").map(String.init) } ?? []
    return options
  }
}

/// `subject/exercise/-`
struct FolderMeanings: ExpressibleByArgument {
  var meanings: [FolderMeaning]

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    meanings = parts.compactMap { FolderMeaning(rawValue: String($0)) }
    // Only meaningless folders may appear twice.
    let named = meanings.filter { $0 != .any }
    guard meanings.count == parts.count, Set(named).count == named.count else { return nil }
  }
}

/// `2-8`
struct SetRange: ExpressibleByArgument {
  let lengths: ClosedRange<Int>

  init?(argument: String) {
    guard let match = argument.wholeMatch(of: /([0-9]{1,4})-([0-9]{1,4})/), let low = Int(match.1),
      let high = Int(match.2), low >= 1, low <= high
    else { return nil }
    lengths = low...high
  }
}

extension WorldAxis: ExpressibleByArgument {}

extension KeypointAxes: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension PersonChoice: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension ImageSize: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
