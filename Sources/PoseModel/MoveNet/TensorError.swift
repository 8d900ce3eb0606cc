/// Why a model's output can't be read.
public enum TensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another number of values than the shape has.
  case wrongCount(shape: [Int], found: Int)

  public var description: String {
    switch self {
    case .wrongCount(let shape, let found):
      "expected \(shape.reduce(1, *)) values of a tensor of shape \(shape), found \(found)"
    }
  }
}
