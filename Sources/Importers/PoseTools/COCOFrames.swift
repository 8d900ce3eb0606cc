/// The frames that the images of one clip are: their `frame_id`; else the numbers of their files' names, where each has a
/// name of its own; else images follow each other by their ids.
///
/// Only numbers are kept of images: a clip may have half a million.
struct COCOFrames {
  private struct Frame {
    var image: Int
    /// `nil` until it is known.
    var number: Int?
    /// Of its name.
    var place: Int
    var height: Int32
  }

  private var frames: [Frame] = []
  private var names = ImageFrames()

  /// - Parameter count: how many images there will be.
  init(count: Int) { frames.reserveCapacity(count) }

  mutating func add(_ image: COCOImage) {
    frames.append(
      Frame(
        image: image.id, number: image.frame, place: names.place(of: image.name), height: Int32(image.height ?? 1)))
  }

  /// Numbers the frames once all images are there, and makes ready to be asked.
  ///
  /// - Returns: the numbers in the order of the images' ids.
  mutating func settle() -> [Int] {
    frames.sort { $0.image < $1.image }
    let given = frames.compactMap(\.number)
    if given.count == frames.count, Set(given).count == given.count { return given }
    let named = names.count == frames.count ? names.numbers : nil
    for index in frames.indices { frames[index].number = named?[frames[index].place] ?? index }
    return frames.compactMap(\.number)
  }

  /// The frame of an image, and the image's height.
  subscript(image: Int) -> (number: Int, height: Int)? {
    var below = 0
    var above = frames.count
    while below < above {
      let middle = (below + above) / 2
      if frames[middle].image < image { below = middle + 1 } else { above = middle }
    }
    guard below < frames.count, frames[below].image == image, let number = frames[below].number else { return nil }
    return (number, Int(frames[below].height))
  }
}
