import PoseModel
import TestSupport

extension TestGenerator {
  mutating func milliseconds(_ range: ClosedRange<Int>) -> Microseconds { .milliseconds(integer(range)) }
}
