import Coaching

/// Clips that are short of what a coach needs to see: nothing wrong with the labels, but little to be had.
struct ClipFitness: DatasetCheck {
  let name = "fitness"
  let title = "hard to coach on"
  let threshold = """
    15 frames a second, 2 s, a person in 0.8 of the frames, mean confidence 0.5, a person of 0.25 and a picture of 540 pixels: \
    the standard of the detector pose-quality
    """
  let remedy = "none needed; expect less of a detector there, or record again"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let poses = clip.poses else { return [] }
    let quality = ClipQuality(poses, coordinates: clip.manifest.coordinates)
    let words = quality.shortcomings.compactMap { quality.words(for: $0) }
    return words.isEmpty
      ? [] : [finding(.note, in: clip.name, weight: Double(words.count), words.joined(separator: "; "))]
  }
}

extension ClipQuality {
  /// A shortcoming with what was found and what it should be; `nil` where nothing was found.
  fileprivate func words(for shortcoming: Shortcoming) -> String? {
    func plain(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
    func line(_ name: String, _ value: Double?, _ least: Double, _ unit: String) -> String? {
      value.map { "\(name) \(plain($0.rounded(toDecimals: 2)))\(unit), at least \(plain(least))" }
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
