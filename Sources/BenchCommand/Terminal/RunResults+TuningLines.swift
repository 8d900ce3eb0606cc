import Evaluation
import Reports

extension RunResults {
  /// A warning for each detector that was tuned; none where none was.
  var tuningLines: [String] {
    tuningSentences.map { "tuned    " + Terminal.unsure(Terminal.wrap($0, indent: 9)) }
  }
}
