import Datasets
import PoseModel

/// Coordinates that are not in the unit that the manifest names, or clips that are not in the unit of the others.
struct Scale: DatasetCheck {
  let name = "scale"
  let title = "coordinates are in another unit"
  let threshold = """
    with unit image, or pixel with a height of 1, half of the coordinates beyond −1…2: no estimator puts most of a \
    person that far outside of its picture; with pixels of a higher image, all within −1…2; a trunk ten times as long \
    or as short as the median clip's, which is a person at a tenth of the distance
    """
  let remedy = "correct unit in dataset.yaml, or scale the pose files"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints else { return [] }
    var (known, beyond) = (0, 0)
    for keypoint in 0..<keypoints.keypointCount {
      for channel in [Channel.x, .y] {
        guard let column = keypoints.column(keypoint, channel) else { continue }
        for index in column.indices where column[index].isFinite {
          known += 1
          if !(-1...2).contains(column[index]) { beyond += 1 }
        }
      }
    }
    guard known > 0 else { return [] }
    let share = Double(beyond) / Double(known)
    let unit = clip.manifest.coordinates.unit
    switch unit {
    case .image where share > 0.5, .imageHeight where share > 0.5:
      return [finding(.problem, in: clip.name, weight: share, "\(percent(share)) beyond the picture: pixels?")]
    case .pixel where unit != .imageHeight && beyond == 0:
      return [finding(.problem, in: clip.name, weight: 1, "all within −1…2: shares of the picture?")]
    default: return []
    }
  }

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let trunks = dataset.members.compactMap(\.trunk).sorted()
    guard trunks.count >= 3 else { return [] }
    let usual = trunks[trunks.count / 2]
    return dataset.members.compactMap { member in
      guard let trunk = member.trunk else { return nil }
      let ratio = Double(max(trunk, usual) / min(trunk, usual))
      guard ratio >= 10 else { return nil }
      return finding(
        .problem, in: member.info.name, weight: ratio,
        "its trunk is \(ratio.rounded(toDecimals: 1)) times as \(trunk > usual ? "long" : "short") as the median clip's"
      )
    }
  }
}
