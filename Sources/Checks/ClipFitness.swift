import Coaching

/// Finds clips whose recording is too poor for a coach: the labels may be right, but the detector has little to work
/// with.
struct ClipFitness: DatasetCheck {
  let name = "fitness"
  let title = "recording quality too low for coaching"
  let threshold = """
    15 frames a second, 2 s, a person in 80 % of the frames, mean confidence 0.5, a person's height of 0.25 and an \
    image height of 540 pixels: the limits of the detector pose-quality
    """
  let remedy = "none needed; expect worse detections there, or record again"

  /// From this many clips on, the most common problems are reported once for all clips.
  private static let many = 10

  func findings(across dataset: CheckedDataset) -> [Finding] {
    var clips: [ClipQuality.Shortcoming: [String]] = [:]
    for member in dataset.members {
      for shortcoming in member.shortcomings { clips[shortcoming.kind, default: []].append(member.info.name) }
    }
    let all = dataset.members.count
    let common = clips.filter { all >= Self.many && $0.value.count * 2 > all }
    let single = dataset.members.compactMap { member -> Finding? in
      let words = member.shortcomings.filter { common[$0.kind] == nil }.map(\.words)
      guard !words.isEmpty else { return nil }
      return finding(.note, in: member.info.name, weight: Double(words.count), words.joined(separator: "; "))
    }
    let shared = common.compactMap { kind, names -> Finding? in
      guard let first = dataset.members.first(where: { $0.info.name == names[0] }),
        let words = first.shortcomings.first(where: { $0.kind == kind })?.words
      else { return nil }
      return finding(
        .note, weight: Double(names.count), "\(names.count) of \(all) clips, such as \(first.info.name): \(words)")
    }
    return shared + single
  }
}

extension ClipQuality {
  /// The quality limits that the clip misses, each with its value and the minimum.
  var told: [(kind: Shortcoming, words: String)] {
    shortcomings.compactMap { kind in words(for: kind).map { (kind, $0) } }
  }

  /// `nil` if the clip does not lack it.
  private func words(for shortcoming: Shortcoming) -> String? {
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
