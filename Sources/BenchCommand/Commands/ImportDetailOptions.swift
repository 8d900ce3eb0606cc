import ArgumentParser
import Datasets
import Importers

/// What recordings do not say of themselves; each format takes those that it lacks.
struct ImportDetailOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Frames a second.", valueName: "n")) var fps: Double?
  @Option(help: ArgumentHelp("Width and height of the image in pixels, such as 1920x1080.", valueName: "WxH"))
  var size: ImageSize?
  @Option(help: "What the people do.") var exercise: String?
  @Option(help: "Where the camera stood: front, side or oblique.") var view: String?
  @Option(help: "Who it is, where all is of one person. (default: every clip is a subject of its own)")
  var subject: String?
  @Option(
    help: ArgumentHelp(
      "What the folders between the path and a clip stand for, in order: subject, exercise, view, split or - for nothing.",
      valueName: "a/b/c"))
  var folders: FolderMeanings?
  @Option(
    help: ArgumentHelp(
      "A YAML file that names the columns (mapped), the markers or the keypoints (yolo-pose).", valueName: "file"))
  var mapping: String?
  @Option(help: ArgumentHelp("The axis that points up in motion capture: y, z, -y …", valueName: "axis")) var up: Axis?
  @Option(help: ArgumentHelp("The metres that one unit of motion capture is.", valueName: "metres")) var unit: Double?

  func validate() throws {
    if let fps, !(fps > 0 && fps <= 1000) {
      throw ValidationError("--fps takes frames a second above 0, up to 1000, found \(fps)")
    }
    if let unit, !(unit > 0 && unit.isFinite) { throw ValidationError("--unit takes a number above 0, found \(unit)") }
    for (name, value) in [("--exercise", exercise), ("--subject", subject)] {
      if let value, !PortableName.isValid(value) {
        throw ValidationError("\(name) takes \(PortableName.description), found \"\(value)\"")
      }
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
    return options
  }
}

/// `subject/exercise/-`
struct FolderMeanings: ExpressibleByArgument {
  var meanings: [FolderMeaning]

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    meanings = parts.compactMap { FolderMeaning(rawValue: String($0)) }
    // Only what stands for nothing may stand there twice.
    let named = meanings.filter { $0 != .any }
    guard meanings.count == parts.count, Set(named).count == named.count else { return nil }
  }
}

extension Axis: ExpressibleByArgument {}

extension ImageSize: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
