import CCairo
import Synchronization

/// The scaled fonts that texts are measured and drawn with, one each for the whole process and never given back.
///
/// Cairo 1.16 aborts where one thread gives back the last reference to a scaled font while another finds it in Cairo's
/// own cache (`cairo_scaled_font_destroy` asserts that nobody uses it before it looks whether somebody does), and
/// FreeType wants that its library opens one face at a time. So fonts are made and measured behind one lock, and a
/// reference stays here: a chart has a dozen sizes.
enum Fonts {
  private struct Key: Hashable {
    let size: Double
    let isBold: Bool
    /// Of the canvas, in pixels a point; `nil` for measuring.
    let scale: Double?
  }

  /// As addresses, which any task may read.
  private static let kept = Mutex<[Key: UInt]>([:])

  /// What `text` takes up at any scale, in points, from an origin on the baseline.
  static func extents(of text: String, _ style: TextStyle) -> cairo_text_extents_t {
    kept.withLock { fonts in
      let font = font(Key(size: style.size, isBold: style.isBold, scale: nil), in: &fonts) { measuringFont(style) }
      var extents = cairo_text_extents_t()
      cairo_scaled_font_text_extents(font, text, &extents)
      return extents
    }
  }

  /// Makes what is shown next on a canvas of `scale` be in `style`.
  static func select(_ style: TextStyle, scale: Double, on context: OpaquePointer) {
    let context = UInt(bitPattern: context)
    kept.withLock { fonts in
      let context = OpaquePointer(bitPattern: context)
      let font = font(Key(size: style.size, isBold: style.isBold, scale: scale), in: &fonts) {
        cairo_select_font_face(context, TextStyle.fontFamily, CAIRO_FONT_SLANT_NORMAL, weight(style))
        cairo_set_font_size(context, style.size)
        return cairo_scaled_font_reference(cairo_get_scaled_font(context))
      }
      cairo_set_scaled_font(context, font)
    }
  }

  private static func font(
    _ key: Key, in fonts: inout [Key: UInt], make: () -> OpaquePointer?
  ) -> OpaquePointer? {
    if let address = fonts[key] { return OpaquePointer(bitPattern: address) }
    let font = make()
    fonts[key] = UInt(bitPattern: font)
    return font
  }

  /// Unhinted, so that a text is as wide as its outlines at every scale.
  private static func measuringFont(_ style: TextStyle) -> OpaquePointer? {
    let face = cairo_toy_font_face_create(TextStyle.fontFamily, CAIRO_FONT_SLANT_NORMAL, weight(style))
    var (matrix, identity) = (cairo_matrix_t(), cairo_matrix_t())
    cairo_matrix_init_scale(&matrix, style.size, style.size)
    cairo_matrix_init_identity(&identity)
    let options = cairo_font_options_create()
    Canvas.unhint(options)
    defer {
      cairo_font_options_destroy(options)
      cairo_font_face_destroy(face)
    }
    return cairo_scaled_font_create(face, &matrix, &identity, options)
  }

  private static func weight(_ style: TextStyle) -> cairo_font_weight_t {
    style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
  }
}
