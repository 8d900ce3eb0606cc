import Evaluation
import Plots

extension Estimate {
  init(_ share: SimulatedShare) {
    self.init(share.value, lower: share.interval?.low, upper: share.interval?.high)
  }
}
