import Files
import Foundation

/// A run's results in parts, to list hundreds of runs without reading whole results. Nothing in results that are not JSON.
struct UnfoldedResults {
  struct Metric {
    /// From 0.
    var position: Int
    var detector: String?
    var metric: String?
    var unit: String?
    var direction: String?
    var value: Double?
    /// The interval's bounds.
    var low: Double?
    var high: Double?
    /// The number of subjects with a value.
    var subjects = 0
    var clips: Int?
    /// The metric's own JSON.
    var result = ""
  }

  struct Count {
    /// Of the clip, from 0.
    var position: Int
    var detector: String
    var clip: String
    var subject: String
    var count: Int
    var truth: Int?
  }

  /// The results without metrics, clips, slices, measurements and predictions.
  private(set) var head: String
  /// The names of the datasets as a JSON list, each once, in ascending order.
  private(set) var datasets = "[]"
  private(set) var metrics: [Metric] = []
  private(set) var counts: [Count] = []

  init(_ results: String) {
    head = results
    var results = results
    results.withUTF8 { bytes in
      guard let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
      let file = InputFile(
        name: "results", bytes: Data(bytesNoCopy: start, count: bytes.count, deallocator: .none))
      try? JSONReader.read(file) { json in try read(&json, bytes) }
    }
  }

  private mutating func read(_ json: inout JSONReader, _ bytes: UnsafeBufferPointer<UInt8>) throws {
    var (head, copied) = ("", 0)
    var names: Set<String> = []
    var (metrics, counts) = ([Metric](), [Count]())
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    try json.object { json, key in
      let place = json.place
      var short: String?
      switch key {
      case "datasets":
        try json.array { json in
          try json.members { json, key in
            switch key {
            case "name": try json.stringIfPresent().map { _ = names.insert($0) }
            default: try json.skip()
            }
          }
        }
      case "metrics":
        short = "[]"
        var position = 0
        try json.array { json in
          let start = json.place
          if var metric = try Metric(&json, position) {
            metric.result = text(start..<json.place)
            metrics.append(metric)
          }
          position += 1
        }
      case "clips":
        short = "[]"
        var position = 0
        try json.array { json in
          counts += try Count.all(&json, position)
          position += 1
        }
      case "slices", "measured", "robustness", "predicted":
        short = key.text == "slices" ? "[]" : key.text == "measured" ? "{}" : "null"
        try json.skip()
      default: try json.skip()
      }
      guard let short else { return }
      head += text(copied..<place) + short
      copied = json.place
    }
    self.head = head + text(copied..<bytes.count)
    datasets = String(decoding: try canonicalJSON(names.sorted()), as: UTF8.self)
    (self.metrics, self.counts) = (metrics, counts)
  }
}

extension UnfoldedResults.Metric {
  /// `nil` for anything but an object.
  fileprivate init?(_ json: inout JSONReader, _ position: Int) throws {
    var metric = Self(position: position)
    let isObject = try json.members { json, key in
      switch key {
      case "detector": metric.detector = try json.stringIfPresent()
      case "metric": metric.metric = try json.stringIfPresent()
      case "unit": metric.unit = try json.stringIfPresent()
      case "direction": metric.direction = try json.stringIfPresent()
      case "value": metric.value = try json.numberIfPresent()
      case "interval":
        try json.members { json, key in
          switch key {
          case "low": metric.low = try json.numberIfPresent()
          case "high": metric.high = try json.numberIfPresent()
          default: try json.skip()
          }
        }
      case "bySubject":
        try json.members { json, _ in
          if try json.kind() != .null { metric.subjects += 1 }
          try json.skip()
        }
      case "clips": metric.clips = try json.numberIfPresent().flatMap(Int.init(exactly:))
      default: try json.skip()
      }
    }
    guard isObject else { return nil }
    self = metric
  }
}

extension UnfoldedResults.Count {
  /// The detectors' counts on a clip; none for anything but an object.
  fileprivate static func all(_ json: inout JSONReader, _ position: Int) throws -> [Self] {
    var (dataset, name, people, subject) = (String?.none, String?.none, String?.none, String?.none)
    var truth: Int?
    var counts: [(detector: String, count: Int)] = []
    try json.members { json, key in
      switch key {
      case "dataset": dataset = try json.stringIfPresent()
      case "name": name = try json.stringIfPresent()
      case "people": people = try json.stringIfPresent()
      case "subject": subject = try json.stringIfPresent()
      case "trueCount": truth = try json.numberIfPresent().flatMap(Int.init(exactly:))
      case "outcomes":
        try json.members { json, detector in
          let detector = detector.text
          try json.members { json, key in
            guard case "count" = key else { return try json.skip() }
            if let count = try json.numberIfPresent().flatMap(Int.init(exactly:)) { counts.append((detector, count)) }
          }
        }
      default: try json.skip()
      }
    }
    guard let dataset, let name, let subject else { return [] }
    let clip = ClipID(dataset: dataset, clip: name).description
    let person = PersonID(people: people ?? dataset, subject: subject).description
    return counts.map {
      Self(
        position: position, detector: $0.detector, clip: clip, subject: person, count: $0.count, truth: truth)
    }
  }
}

extension JSONReader {
  /// Reads an object's members, or skips a value of another type; returns whether it was an object.
  @discardableResult
  fileprivate mutating func members(_ member: (inout JSONReader, JSONKey) throws -> Void) throws -> Bool {
    guard try kind() == .object else {
      try skip()
      return false
    }
    try object(member)
    return true
  }

  /// `nil` for a value of another type.
  fileprivate mutating func stringIfPresent() throws -> String? {
    if try kind() == .string { return try string() }
    try skip()
    return nil
  }

  /// `nil` for a value of another type.
  fileprivate mutating func numberIfPresent() throws -> Double? {
    if try kind() == .number { return try number() }
    try skip()
    return nil
  }
}
