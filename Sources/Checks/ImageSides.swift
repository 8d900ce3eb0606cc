import Datasets
import PoseModel

/// Finds clips with swapped image width and height: the limbs fit a person only after swapping them back.
struct ImageSides: DatasetCheck {
  let name = "image-sides"
  let title = "image width and height are swapped"
  let threshold = """
    with the given aspect, the statures that the limbs' greatest lengths imply vary twice as much (standard deviation \
    of their logarithms) as with its reciprocal; found in none of 195 correct clips, simulated and recorded
    """
  let remedy = "import again with the right --size, or correct aspect in dataset.yaml"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard case .image(let aspect) = clip.manifest.coordinates.unit, let poses = clip.poses,
      let ratio = LimbProportions(poses).ratio(toExchanged: aspect), ratio >= LimbProportions.absurdRatio
    else { return [] }
    return [
      finding(
        .problem, in: clip.name, weight: Double(ratio),
        "limbs agree \(Double(ratio).rounded(toDecimals: 1)) times better in a "
          + (aspect < 1 ? "landscape image" : "portrait image"))
    ]
  }
}
