/// The part of an image that a network's input shows, in image heights, so that its output can be mapped back.
///
/// It may reach beyond the image: a letterboxed input shows the image with bars beside it or above and below.
public struct InputRegion: Hashable, Sendable {
  /// Of the input's left edge, negative where there is a bar beside the image.
  public var left: Float
  /// Of the input's upper edge, negative where there is a bar above the image.
  public var top: Float
  public var width: Float
  public var height: Float

  public init(left: Float, top: Float, width: Float, height: Float) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// The whole image, stretched to the input's shape.
  ///
  /// - Parameter aspect: the image's width divided by its height.
  public static func stretched(aspect: Float) -> InputRegion {
    InputRegion(left: 0, top: 0, width: aspect, height: 1)
  }

  /// The whole image in the middle of the input, scaled as large as fits, with bars of whole pixels.
  ///
  /// Rounds as `tf.image.resize_with_pad` does, which MoveNet's examples prepare frames with: the scaled image and the bar
  /// before it are cut to whole pixels, the bar after it takes the rest.
  ///
  /// - Precondition: all sizes are positive.
  public static func letterbox(
    imageWidth: Int, imageHeight: Int, inputWidth: Int = 192, inputHeight: Int = 192
  ) -> InputRegion {
    precondition(imageWidth > 0 && imageHeight > 0 && inputWidth > 0 && inputHeight > 0)
    // width / inputWidth against height / inputHeight, without a division that rounds.
    let isWide = imageWidth * inputHeight >= imageHeight * inputWidth
    let contentWidth = isWide ? inputWidth : max(1, imageWidth * inputHeight / imageHeight)
    let contentHeight = isWide ? max(1, imageHeight * inputWidth / imageWidth) : inputHeight
    let aspect = Float(imageWidth) / Float(imageHeight)
    // Image heights by input pixel.
    let (x, y) = (aspect / Float(contentWidth), 1 / Float(contentHeight))
    return InputRegion(
      left: -Float((inputWidth - contentWidth) / 2) * x, top: -Float((inputHeight - contentHeight) / 2) * y,
      width: Float(inputWidth) * x, height: Float(inputHeight) * y)
  }

  /// The place in image heights of a place in 0...1 of the input.
  @inlinable public func place(x: Float, y: Float) -> (x: Float, y: Float) { (left + x * width, top + y * height) }

  /// The share of the input that bars take, one to the left and one above; 0 without.
  public var padding: (left: Float, top: Float) { (max(0, -left / width), max(0, -top / height)) }
}
