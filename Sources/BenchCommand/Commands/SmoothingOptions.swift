import ArgumentParser
import PoseModel

/// What the poses go through before the detectors see them.
struct SmoothingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Smooths the poses before the detectors see them: average:<frames>, median:<frames>, one-euro, or "
        + "one-euro:<minimum cutoff>,<beta>,<derivative cutoff>. (default: the suite's smoothing, if any)",
      valueName: "filter"))
  var smooth: String?

  /// `nil` for the suite's own.
  var smoothing: Smoothing? {
    get throws { try smooth.map { try Smoothing($0) } }
  }

  func validate() throws {
    do { _ = try smoothing } catch let error as SmoothingError { throw ValidationError("--smooth: \(error)") }
  }
}
