/// What the legs do while both feet stay where they are, in degrees.
struct LegPosture: Hashable, Sendable {
  /// Of the knee: 0 when straight.
  var flexion: Double
  /// How far the shank leans ahead of the vertical: the ankle's dorsiflexion over a flat foot.
  var shank: Double
  var heelRise = 0.0
  var kneesInward = 0.0
}
