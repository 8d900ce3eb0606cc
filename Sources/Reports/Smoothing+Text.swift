import Evaluation
import PoseModel

extension Smoothing {
  /// How late a smoothed pose is, in words.
  public var delayText: String {
    switch method {
    case .movingAverage(let frames), .median(let frames):
      "delays a steady movement by \(NumberText.plain(Double(frames - 1) / 2)) frames"
    case .oneEuro:
      "delays a resting joint by \(NumberText.plain((delay(interval: 1 / 30) * 1000).rounded())) ms and a fast one by less"
    }
  }
}
