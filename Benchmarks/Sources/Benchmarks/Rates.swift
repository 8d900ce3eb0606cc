/// Megabytes per second of the fastest of several tries, because other work only slows a try.
///
/// By processor time on one core, and by the clock, which includes the effect of other processes.
struct Rates {
  var megabytes: Double
  private(set) var processor = 0.0
  private(set) var clock = 0.0
  private(set) var peakMemory = 0.0

  init(megabytes: Double) { self.megabytes = megabytes }

  mutating func add(_ effort: Effort) {
    processor = max(processor, megabytes / effort.cpu)
    clock = max(clock, megabytes / effort.wall)
    peakMemory = effort.peakMemory
  }

  var text: String { "\(processor.text(0)) MB/s (by the clock \(clock.text(0)))" }
}
