import Datasets
import PoseModel

/// Finds clips whose image has its sides exchanged: their limbs are no person's, and with the sides exchanged they are.
struct ImageSides: DatasetCheck {
  let name = "image-sides"
  let title = "limbs fit an image with its sides exchanged"
  let threshold = """
    under the aspect given, the statures that the limbs' greatest lengths imply differ twice as much (standard deviation \
    of their logarithms) as under its reverse; none of 195 clips with right sides, simulated and recorded
    """
  let remedy = "import again with the right --size, or correct aspect in dataset.yaml"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard case .image(let aspect) = clip.manifest.coordinates.unit, let poses = clip.poses,
      let ratio = LimbProportions(poses).ratio(toExchanged: aspect), ratio >= LimbProportions.absurdRatio
    else { return [] }
    return [
      finding(
        .problem, in: clip.name, weight: Double(ratio),
        "limbs agree \(Double(ratio).rounded(toDecimals: 1)) times better in an image "
          + (aspect < 1 ? "wider than high" : "higher than wide"))
    ]
  }
}
