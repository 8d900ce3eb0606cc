/// Which frame each image of a recording is, by the images' names.
///
/// Where all names differ in one number only (`0.jpg`, `1.jpg`; `walk_0001.png`), that number is the frame; otherwise images
/// follow each other in the order in which they first come.
struct ImageFrames {
  private var frames: [String: Int] = [:]
  /// Whether the numbers are those of the names.
  let areNumbered: Bool

  init(_ images: some Sequence<String>) {
    var order: [String] = []
    for image in images where frames[image] == nil {
      frames[image] = order.count
      order.append(image)
    }
    let stems = order.map { NumberedName($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) }
    let first = stems.first ?? nil
    let numbers = stems.compactMap { stem -> Int? in
      guard let stem, let first, stem.prefix == first.prefix, stem.suffix == first.suffix else { return nil }
      return stem.number
    }
    areNumbered = numbers.count == order.count && Set(numbers).count == numbers.count
    if areNumbered { for (image, number) in zip(order, numbers) { frames[image] = number } }
  }

  /// - Precondition: it is one of the images.
  subscript(_ image: String) -> Int { frames[image] ?? 0 }
}
