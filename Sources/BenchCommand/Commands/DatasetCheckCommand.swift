import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Foundation
import PoseModel
import Reports

struct DatasetCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reads every file of a dataset folder and says what is wrong with it.",
    discussion: """
      Takes a folder, or the name of one under datasets/. Names also the clips that are short of what a coach needs to
      see, which is nothing wrong.

      Example: bench dataset check datasets/squat-sample
      """)

  @Argument(help: "The folder.") var folder: String
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let path =
      storage.project.datasetNames.contains(folder) && !folder.contains("/")
      ? storage.project.datasetFolder(folder) : folder
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(what: "dataset folder \(folder)", expected: "a folder", found: "nothing there")
    }
    guard !FileManager.default.fileExists(atPath: "\(path)/\(DatasetRecipe.file)") else {
      let recipe = try DatasetRecipe(path)
      Terminal.out("\(path): a recipe for \(Terminal.count(recipe.clipCount, "clip")), nothing wrong")
      return
    }
    let dataset = try DatasetFolder(path)
    var wrong: [String] = []
    var weak: [String] = []
    let bar = ProgressBar("checking", total: dataset.clips.count)
    for index in dataset.clips.indices {
      do {
        let clip = try dataset.clip(index)
        if let line = try Self.shortcomings(of: clip, dataset.manifest) { weak.append(line) }
      } catch let error as DataError { wrong.append("\(error)") }
      bar.update(index + 1)
    }
    bar.finish()
    guard wrong.isEmpty else {
      Terminal.error(wrong.map { "bench: \($0)" }.joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out(
      (["\(path): \(dataset.clips.count) clips, nothing wrong"] + Self.listed(weak, of: dataset.clips.count))
        .joined(separator: "\n"))
  }

  /// What a clip is short of, in a line; `nil` where it is short of nothing or has labels only.
  private static func shortcomings(of clip: Clip, _ manifest: Manifest) throws -> String? {
    guard clip.keypoints != nil else { return nil }
    let quality = ClipQuality(try clip.poses(manifest), coordinates: manifest.coordinates)
    let words = quality.shortcomings.compactMap { quality.words(for: $0) }
    return words.isEmpty ? nil : "  \(clip.info.name)  \(words.joined(separator: "; "))"
  }

  /// At most ten lines and how many more there are.
  private static func listed(_ lines: [String], of total: Int) -> [String] {
    guard !lines.isEmpty else { return [] }
    let rest = lines.count - 10
    return ["hard to coach on: \(lines.count) of \(total)"] + lines.prefix(10)
      + (rest > 0 ? ["  and \(rest) more"] : [])
  }
}

extension ClipQuality {
  /// A shortcoming with what was found and what it should be; `nil` where nothing was found.
  fileprivate func words(for shortcoming: Shortcoming) -> String? {
    func line(_ name: String, _ value: Double?, _ least: Double, _ unit: String) -> String? {
      value.map {
        "\(name) \(NumberText.plain(($0 * 100).rounded() / 100))\(unit), at least \(NumberText.plain(least))"
      }
    }
    return switch shortcoming {
    case .frameRate: line("frame rate", frameRate, standard.frameRate, " fps")
    case .duration: line("duration", duration, standard.duration, " s")
    case .personShare: line("person in", personShare, standard.personShare, " of the frames")
    case .confidence: line("confidence", confidence, standard.confidence, "")
    case .personHeight: line("person's size", personHeight, standard.personHeight, " image heights")
    case .imageHeight: line("image height", imageHeight, standard.imageHeight, " pixels")
    }
  }
}
