/// The weights of `SwingNetwork`, written by `training/tennis/train.py`.
///
/// Trained on 193 strokes of 4 continuous recordings (OpenPose, right-handers from behind), 753 shots of
/// 3 players (MoveNet, one left-handed, from behind; serves of one player only), and 427 strokes of
/// 24 generated players seen from the front, the side and between, for what the recordings lack: serves and other
/// views. Seed 1, 3 networks of 16 units averaged.
enum SwingWeights {
  /// Units of the first layer: a multiple of 8.
  static let hidden = 48

  /// The value of one step of each unit's weights.
  static let scales: [Float] = [
    0.000839945, 0.000971562, 0.00151859, 0.00094533, 0.00127609, 0.000808512, 0.000774466, 0.00137001, 0.000955785,
    0.00100539, 0.000943694, 0.000920621, 0.00111854, 0.00102424, 0.000811074, 0.00149267, 0.00102448, 0.00121266,
    0.00058369, 0.00156171, 0.000721293, 0.000961523, 0.000881237, 0.000994218, 0.00064478, 0.000794825, 0.00109952,
    0.00120485, 0.00075801, 0.000900471, 0.0014324, 0.00056459, 0.000720732, 0.00102629, 0.000773816, 0.000777432,
    0.000654925, 0.00126124, 0.000815016, 0.000668963, 0.00110211, 0.000941296, 0.000864295, 0.000704241, 0.00097905,
    0.00129899, 0.000785589, 0.000921832,
  ]

  static let biases: [Float] = [
    -3.57022, -0.217535, 0.0198763, 5.97259, 1.31018, 5.29981, 2.16796, -1.17103, 0.414975, -0.222454, -1.96573,
    0.74177, 13.0324, 1.13015, -7.14109, -6.54552, -1.23845, 0.544392, 0.54699, -5.40964, 0.63281, -8.39692, 1.75012,
    9.67895, 2.34315, 0.0568528, 2.47592, 5.78894, -1.73206, 0.769308, -15.2458, 2.63648, -1.19308, -2.75759,
    -2.08688, 5.5607, -4.19343, -1.62243, 3.81318, 0.786091, 0.852136, 3.95022, 1.67279, 0.308203, 0.0730975, -1.3753,
    0.438299, 0.678885,
  ]

  /// The contribution of each unit to the logits of forehand, backhand and serve.
  static let output: [SIMD4<Float>] = [
    SIMD4(-0.130298, -0.0680188, -0.15181, 0), SIMD4(0.0875506, -0.164693, -0.088504, 0),
    SIMD4(-0.14974, 0.1457, 0.126975, 0), SIMD4(0.042248, 0.0687632, 0.122796, 0),
    SIMD4(-0.0035952, 0.145022, -0.124169, 0), SIMD4(0.0836203, -0.365589, -0.141656, 0),
    SIMD4(0.128629, -0.0354538, -0.218893, 0), SIMD4(0.14769, 0.0833955, 0.0604915, 0),
    SIMD4(-0.167341, -0.00532427, 0.0367064, 0), SIMD4(0.0354241, -0.249782, 0.0242867, 0),
    SIMD4(0.137152, -0.11295, -0.0605884, 0), SIMD4(-0.176549, 0.131093, -0.226808, 0),
    SIMD4(-0.0857301, -0.0131543, -0.188046, 0), SIMD4(-0.224809, -0.181464, -0.128648, 0),
    SIMD4(-0.0910425, -0.173697, -0.1235, 0), SIMD4(-0.142815, -0.0656179, -0.143368, 0),
    SIMD4(-0.182119, 0.0763832, -0.165281, 0), SIMD4(0.0916196, -0.0546954, -0.185343, 0),
    SIMD4(0.119841, 0.0874084, -0.0923726, 0), SIMD4(-0.0766183, -0.0623828, -0.142548, 0),
    SIMD4(-0.108902, 0.103182, -0.112731, 0), SIMD4(-0.123983, 0.0114056, -0.103086, 0),
    SIMD4(0.0431245, -0.191026, 0.000313706, 0), SIMD4(-0.143856, -0.0769028, -0.0593606, 0),
    SIMD4(-0.15525, 0.152941, 0.111648, 0), SIMD4(0.0932226, -0.221159, -0.155178, 0),
    SIMD4(-0.159828, -0.00209829, 0.155045, 0), SIMD4(-0.0801423, -0.164753, -0.114699, 0),
    SIMD4(0.224987, 0.0834557, 0.0282631, 0), SIMD4(0.127612, -0.186143, -0.162086, 0),
    SIMD4(-0.0533981, -0.113348, -0.153108, 0), SIMD4(0.128577, 0.251409, -0.15325, 0),
    SIMD4(-0.111143, 0.155073, 0.0612374, 0), SIMD4(-0.138192, -0.215768, -0.216174, 0),
    SIMD4(-0.207216, -0.0684902, -0.10745, 0), SIMD4(-0.0770334, 0.0726946, -0.175166, 0),
    SIMD4(-0.122095, -0.156709, -0.135634, 0), SIMD4(-0.0297844, -0.153566, -0.169567, 0),
    SIMD4(0.0874636, -0.234756, -0.186792, 0), SIMD4(-0.106021, 0.192041, 0.0111696, 0),
    SIMD4(-0.162552, 0.0121532, -0.0826784, 0), SIMD4(-0.13361, -0.0478088, 0.0847192, 0),
    SIMD4(-0.160753, -0.18681, 0.0192703, 0), SIMD4(-0.133356, -0.065526, 0.0488163, 0),
    SIMD4(0.149756, -0.121926, 0.112298, 0), SIMD4(0.0655598, 0.174846, -0.128835, 0),
    SIMD4(0.172161, 0.0894643, -0.0637981, 0), SIMD4(0.0678628, -0.142926, 0.0713419, 0),
  ]

  static let outputBias = SIMD4<Float>(-2.19946, -2.18453, -2.23425, 0)

  /// The weights of the first layer, unit by unit, in places from -2048 to 2047.
  static var places: [Int] {
    var places: [Int] = []
    places.reserveCapacity(text.utf8CodeUnitCount / 2)
    text.withUTF8Buffer { text in
      for index in stride(from: 0, to: text.count - 1, by: 2) {
        places.append(digit(text[index]) << 6 + digit(text[index + 1]) - 2048)
      }
    }
    return places
  }

  /// The value of a digit of base64.
  private static func digit(_ code: UInt8) -> Int {
    switch code {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(code - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(code - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(code - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    default: 63
    }
  }

  /// Two digits of base64 a place.
  private static let text: StaticString = """
    e0hLeBmfkLmZmIhJcXfofFaHxs0wzkd5fHGjOplleQjejZpJaUdbfYb36t6mz4j6lrd4ZDc6azkSmJmvWFjFZ3TUyItU0/uFl7ZqdIPDfYtgjFbG\
    WPgIfsZTr8ydsViZgcnckpedbtmijkbKaQfYcFVel3vPpuXOOc5/nMcwb7nUp5ducbkUddXss6colwcbdc//n7queFjIgaqWfehgY9W9okpKj8iM\
    d2WfaA1iotkHfi0AgggxeXjRnexTjkm6bDyYWaMXrSW2bBwimlYxgIb1XLgsbga9UM5mbjJlopHCl3B7dSUUcYNtcpaNgtcXphOobiaik9PKeZGy\
    e/QqhPIVhRwEsGribuGXdU+Aj1QNl2K+jySgndQMm/VQktovsVeEgTuWXBYDyPkoeCSvr7ZFfmyjbW1jjEipfee0iMnVczfvixckgBZij3U8fmis\
    eZqCZlbVcghzhss/gvjBezbLiLeLbyeshPABlKOafBpcempskpeAgPgnqoPBfwozi0m+kJfyjmmKdWiLkGjKaUdFhKk9eEVuZaTnYzlxnpgMgfhT\
    nKiuXkhSgojlkHN9iPczj7lmmulSeZY1qFoQYidnWFiaeeZTkEpdZImQnehXaNh8oqjLW6eNeBbujdmPg0jnaldni6V6a4o0lygcZQcMbIntX8nM\
    ctZMgSwei4k1gBoYhfgntkkscPpskXnlbQPSnQaHdNsorxoqcrbUptlEjGaTgohTfXeojqkDgYoJhwnaammsbbe4ggVjgdaZhaipextYcOq1hcbZ\
    glkPhad/rcZ6kyl6mZkVYoUiaPoemcakeWjDgNbXelU+dGd/X9XEjXd4jMi1gqbmjWlhhblZhNVJjfa9bdiBjrmalAhrecZajOoaf8kMmKW1hvbP\
    W2lLjlV5eoj3iNhmhPf1eKkmhlgTiyYAe8Zsl3aLgyi5cijggyfTe3k1ksoegBh3f8eVjOfKiviEdbc7gWgwdwiUglisiLl8h0h8fXbHgqfjg5fs\
    e3iUeliJfqnbjvjFfziKfYVAitjCdmj8eQdshSgrfqZrh2dfZWfXfhkVc3l3gIiDg2d5g6gCkAYQfgbEakbkt8rvgwgLlGlmhzjYbQfKiPdIjpgm\
    ZxABimeWeXYSgUhNicfUfSghd9lVgVhKj9tUfvczdzbYh4YsgKZZlcboe9bnb0jEd9qBegTtdkbggGfUeAdUdqWzi8nIdTlmcfo6gzjfidbygccz\
    cHfIglXvefk7fPewhwN5ZEWifweGbBiYgecreufycZbzT7YXh7idjwlXeFi3cRjcgahjgleMiKm0fHhObCkDczrUa/hAeKfDhCibbYd4idm8aCgH\
    dpjLZKj4dVcWawgFiqaGlTX1mUpUUcmthVPScTnsj5aTiNiJlMY3jMfAlTvtYpS6g4gibewui1fxiJgcgAYjmAkegZixVVorhMhBZTEpjpcBj1mV\
    jpbyhmilgEd1lOt3YMu8hNp2ktVjjMcghDYMfeX+iLpMq/i9YCbidqmceXXElnWukEZznrYFp2lXgKlubywBaSgmdcjpmVTffffllqfJtMaLluU0\
    cunsnBSlkLriqrc6fwc/b/maslcqgkVXrYoTf0p0fhbvesgUgwd8cohzojVGkILfcYcfcXh9fIVpaQchdkkgdOgMspNXblABg4X4cHdegLivdNjy\
    e5bVcadQjkdAajc6h7KqY5l1fYbmfaeTefbnftWliQfmY+m8olSHfx//e2cyc0fbftZSbXczbGgcZYeYhwefau0fisbda3pReRZsctcLdeZeYJeu\
    i2ZGehtflMb+f5fGafYxdwWPdcgjU5VXj1ZtbGtuhYbWg/dnaza7c3ZqUvpsQlkwj8SZXBs9gkqddaiaaUgtildWazZhV3qJdpP/fOmXdtsdeLXd\
    cTmjbJlxYKiBjfanVHhEngytZRoge7tHaIyvZtzyOcePYGZhT+egkSX/acc2cLrvcQrga9wUbhWXfMjIfKegYTbSiKYCkqbzejbpjZZsjFmPjMdN\
    tsiXY0eyjjp+lKUOeQd1gkYPnjj6j3hVvGiNPii6iYicboV+bxjneuYakUesfXsylLsBM5hZkkZwcwYMh3gVf8ekYaaka6XTYDZ1VSWve4Z+dlW6\
    jNmWkucNahcLnwPQkjoFdJJPiVTUftZTjOhfjTdOPzNiY0R7c5Y3ijaHeuXRk5VKhtgOlJgLcWsxZzt5p8acRwcid2SbbFbjkckCj8hHd48SWhep\
    ih2ghdeeh5kNhtYNmVianFh/WOh8YNrNXFpriMABgqZQjlTCh6kOltmQQUHwegijZbqRhbucbJbckOl3mzifryntSQTcXFPBPwqJqDw0claBesmU\
    mQfboKkiWqa+bMGLT9EoxYnifJSvaNh4iPS3dwmaVld6hhNFRYpvnksAcEe0heqNb8X8TfZiWFXdjRhrDMJezBjNaFsmUmm8cukharjNcacGh1e8\
    Jnb/1tvLTHtSYwaTWtosbtfyeHcjw4iml7ZLbXqRgfk1kIpii1c/nGYahSZlguhGqginbkyTp8dYlWjOhPg2igYXkMgVeXwInhkccgQwfehufbav\
    jHoKlCXWXtkWaLqozPABipZge/g9fzbNgefxhsepbrf0pdjvkWEgiAjXZukQiEhMeudoiIjmadnibvb/Xsfzi7ufiGf6YAhVd2ieh8njQgXBbJun\
    d5BseSiGc5sraAiubViQd/jCS/XxWLQZcxeuXc1zamajf2kvZxlvjhqYOHdqUieVl5GgcSs8d0rAifh6djhRqtrgWcYbbnJwnrsFWEgfgemvj7fy\
    mPYznwkpX9ZBQ3LmeRhVhMmrh1avkkbHmLWIbujNhAZgVRU0d8XugyxPk5grmdS7hAfnbjdMWznRgjdJbuxbcPqKg+bgekSmhdPdbcchWXgFT5yd\
    f5pqdoj0jumglxjAgVhbf3fElWiJeNdNZWfOkDk0figkeRhtggfre0bcdQcgg7n3iVfpgyaldhhak7k0hhf/gieEdJdPjbehjGZnkRsTh4jsg5gG\
    iGh5iLhvf2d2gbcejaZ3hTb3fpkHgDfKhfitcrhnhnn1gDWvdCbjdgNFdfiYg/jmjmh0h1gAhzbbfRi/YOjXjjayfYePiGixiBevfOh4hYk4idny\
    ghqdhNeojlXEg4dUo9YccnZkjmsRhig5uZ//WVKAljfDavVomdbfa3YAmBl5cRhOmOpQd7ZGiGhDcpawe2i/gdcFlHjMhdf/Z7aEgym0cCgqkCm3\
    Ymild0lHcgfSjwb3VgTipm0+efbzf4iXbWkIeXlFZ8YNgaf9XhEQmByyk1lahWjmgMoiiTdodmPneUjGhKZqj6ehkDYEg+YNeZaGc9YQgmm2c7sO\
    j+quZJV4kxYjehUmfJXjb0WAd3pigwxId21rVPfVkpa5fHVDgrcfbpWTaNhkc+qJpNhHfjPWf0WZfuVFe3WSabTjgRvGjVkoaphNeMRYetbrhZi1\
    e6dwhTbHYyhilFdLXVXrZ/i5hhVnhuhWiLWzdlhfbtobcStzZWbRjpxnm7Y5hRm5dYf3eqcAY5g4jYZrXYcGiC7tf7StiRejg/Y5cucqb/okjBg/\
    TUSJu3//V8UngIeTdsX7TwYgZkmlc5uqXdR9pBzUXTR2def3U2a5YoZqSJeCmEVuq9oqbqWXc5jYczM5cceDlVhfWlXGgDZ+c7i/ieNAcZfzfBh1\
    eXbdcwiTiieVlub+OKOpePqbZLYYkKnZSej+jJhFfDr+l9W8bVXbdwaueMXvgBb3imWieQfmckjgZyYJgHkreqpld9c0jVmNc+V+feeYmMe5ZAjv\
    mjohcP6yfqY+fzlNd3escJgzfrezfGokbFQ4XWzsdTg8d3ephmeUfjjgilQHlPj2glV5od7hhzdrbRf1kIizcTjGk3dwo8sAhrABfD3oblWldBZf\
    d1gfb6kKlWjvtO0ZhHKIc92EepR2judmbkdebJerocTqnf9KbKedo2V+YGZticWnalejb8cYiff+qpqAa6u7d3I2aZfufWRSdOYdh5VlmAddekq5\
    m/oma+F9b9kTZ+O4bfZhY1U3jDygg+tYqTpUZMa1icf4fIZZXjeJaMWdenk4bWPjk/dBebFajGelZ9kldXZWcxhVaxqxhaawtdmyXSPAhKnvfl6k\
    fUUndwn3chmQZJS9loj2ZOBGcIo3W6omhGgsmGgRebdwfUcDgTy3jpkLgXh9ZogRcnhijZf0aemRdxchblkyj9iug0iMbkeWfsfKnJgWluiTefVu\
    fLpBiNSHi2jucvWqiVflnLfWcXyVhAtLdoqphGgci+YWiQebjRh8qOkpeqeQlVTlVXeffzhTgDp3ireHiEhyoxjZfBkob2UqdT//lsfFiwl6jxgT\
    fGgDpbjfilW2bJmAYPHznRkdbYlzrYq0ZvfKv5l2ephHa3rlQhCIrG5SabcJs2sgbHg+1HoIZUB5knaKbaRtyUVsgHbTp8wufHcItEqGl3aGduay\
    iWOTZbcKr8bJj3qoh0dRXMcTmXhDj+cYktopW1BymUqhW+gKfaiMUAdNjlg1j5Xkm/wac5OhaVsiQkd0WMdvXDffw/lEkjm3c5qgf3aLgCk5geUB\
    gSppe4f/tAe2rVocdox7gMgRbOgoZsfwbuiifhhGswgftCZ4jJhue1eIYTaofjfvcJkPfal9qgVolKbjthABZIhpgLkkghlNbUhKlcgRogo6iKZ9\
    rGZkTLmVdXq7becedmj4jOf6wDeulSj0qZW0WQfRkZftg5fTZrhQfAhlqcpVlsjkuHZvPagilmi6dhmLacfyfqiSpHNyghfKuncsRfSnbNoHg7mj\
    ZWkLhSjOkDLuksgCXNSxgznbjKhlhF2gben0ZBnSp4S5p/U1dqVmcImHcRcKglsQana9ZbjDiQxjm0WPwqlCiIRmfDXAd2YjhETpeVdcfWqhdbt9\
    fqsIYqKNkXpteAV6cyfkeRbgiSgzgemWpG3SXQLvlVoXe5ZxijqRheaPhEmmfhYdhFVDNG24gwjsfMkXd4u6i2poc0mjYAynxkxZW1lXjqsSc7gu\
    ftoDkMrfi4wVU0i+l9dGHDYeg/s+hikahHqQipoterLmPcbyrpY/Yns3ihx/i0g4dYp3iDhMfzMgYwUfv1QBX4Z4ons6kCbpfGj8lWkcnmElXJke\
    gHbyZfkEiYsxi4goacmdlQbeeCJ1eON2jIp4kbfreVu9keVqc5oGpTYtm+OafrH7dn2xsGQofFrhkLYlghjTioX7ZKOfW2ABX6bXjLYgfEqzjJQr\
    hfhselPibXZLcoqWR5fsa4bCh5hQd9T/bLmUa/UZahk4bAe/gwPBsTm6cslvW+exfolUhVlqabmYdGLMnAj+aiNsbNn2UseQcUifdgdjljR3iCJJ\
    evuWYjWWigfYSPcdkKcja0l0eJZAZETwhXwLYRw6jhe2bko4aiXOcXY/rUjqkxgzaNsPefwRdLpDaOgTcPSVfjWpoxUQgHcnYAemc1g7fPmpcofN\
    drVvgecjiTcTlpEqZ+1YlGJ1gYpUj7cAdMbUacefpJOpkmR3YCzakjABgtv4fuZFdaljYuhxseIykXcdQ2Z+vha+eyrcgiUQeol6eHgefGfedzhI\
    eik1oKRTb01dg7Y/fptuaiezmZngafjDfYioeJi0i+tYiXZwgXoIccfSbkhkbuf7kZiyihfEfapzbHfGeci+dOiLoHnWflvwagPFcVnYful7ZLnM\
    eXmbiZjrk6e6hoWLngmTaFXPchvHXEodeBrMfhlGoDa0WKRzmeWMVMUrYUvfa0neb2jddVmXgTrWWcmWk6hQOjaof9qGaQpScvgobFnEcriBTSdk\
    ZnkcjsIslGSzq+fnrZpaqZqON4f3GXhGaflVqGqeqoY1kbWwmxrRnYqxVrWpNdb5WgbphvVflFhXh/sUqYqnoNtNTyamNLq6X8nCpyw+jUn9janS\
    juukp0slOYUmTfY6aGXiuakziAypm+p2myrbt4qhWyZkUFkqc/3yhDjAkxx0mPrTq/q9mcoBexUYcrq/ncR7qIQ2lJ3Cpb4cuLqup2fudHloWKgI\
    sT42WvA8o50rsdrCn4m2rxj9h7uigX5IkWsVfVjCm+izg8vfpOcWmzfFa2Xajj6vjxNRZduDuDblZp8qjQdtk7qzT6N7aLvPqkOzRedyl7rbXi//\
    p3els0qWUNUQfATXxljDkcihhbpmXAoZsEgTmHr6efBMWfS7erYWj2FykjetYiqJpsi0c2sqM5rrOgNSbIN4hXmEdph0jthAdkdwbefwbePMjGJ7\
    ZpEIm/hdgDignFfneefIf2hKb7QTpWH8XgOUlqhqhckuhmpTfgeWeTiSfvdGk2SdeRVsnAnugJn2k8khgaeghDhkZGkYkqfLRUnuw9S9eklLjzmH\
    gvemj/kYeUkspGcFa7q7oRU4ehemmIgNeleCkocQbuX7l+MedYm9l0VobmoEo1mrhShOj2lSYGkBiqbCYeydnjLwf1oqlxhhfojKhDh7cZo9ffeP\
    YE//neM0f8mzgNdugsltcLgDbCgSiYaRc8yQlZIUeon6iHjcixjacfhRhpkvlLgqalr7mcU6bDoAlWkmfGi9kFj4d3f/k6k+bHffj9a7YOkEuZrS\
    ehlHpvrLgPyLi7i9aap2oEiRb0sQr1q1i/iyp+lDijo2e+gHgDI1safzhGXnkIa/lPiZdkoIjVYsvKQrU2gArG3RiWdcn7gBkpjxdtlZhPiGouXg\
    WRVuwrfKgDfCtUr9jzkmhqnWeVXsvQU5MhT6tKhKf5h2jfoTnwmJhMnOkFSft3etTEgJw2Y+hXjojKsSm/mAi5mcossLsWdyV/yxgAABj7mUngqI\
    helIkHhrlfeUqIeqkThPXWP8jijilUiNjZktgefth9bbkFRQWaucdFgngymgg7cZk5mtfbeqldJYmgijTqhGpJnto0qXmGhznenTb7cIl2R4mrPY\
    ibWzbPeukNh5ifeGpZbsdYTXUbs5mLZWaA2Rg1tpd3TOmbionCUDiqZjUHtCcz0eev5piRWdbEV8nQqXoQSDoMmZWUvHWfxZYe5AYcMpfTXHhgpX\
    qlY0j7uxernsYggUiDZ7jgd5iYhMmAjtikc3hFa0h2efhyiRiBsNZxbMkrl/nfnejXbog6bNbplzhesqdwWiiuskfwZ/lckthdemfubxhFXZdBeu\
    bNfHkwpMhSith3jjjReugBdlf8t9c8WHZ2vbegA4dNfXiVdxijeNe4dOjslNhdWIfds+jqABijcnlWcXinfgdBY7Z1elh3f8cQ/pjPRzlFgyfuTR\
    i1k/bQZMiwjGiZfNfrpafwNbiFkMeBf6lVjMYogCg5jkfIc+gEjrYjmZqkltb7nUl5gFaNm3nPbbjtYimjg+mrZdnzjGb1rpmeg8bzm7gdeLikbi\
    gYeSoVYbhVeAeDY2fhdGZjZpi9amjJfpaoi2m/0YiAkcfXbBemkHfnaujedGjIiVgWctixjLduqSgUb2d6j7gbangBnljeqleemBWuboXBmrVwor\
    fXiPgmdDyiUNjPkChXd5m6GNZygwXJo4fto6gbZgg5mXlSiBiiXpSfV+fBdGWUhge6gth7hyieiepGZ1hDcfWHxlZTg9lAcVldkBg1c/kPiGmDdM\
    gAhRjSvpiPg5f9qCfrd/nyhKmou5eWcAaxkupOfFlbkhgwkPo/pxnJdPV8ptwMVkTnOghFiWkln8aobpgCaHlMpfYMrrd1lHgjiHpOuhbUS4lerd\
    mnW6vyd5hmL+x9vphcWZUfoFqlbMm/rdqZg44cmifVVYqaWKjJeMQbfcravYtxTnq2Z4tfa3vRN7edXhuom8jquwfjYMlCjLSdcnZ1ZVs9vUe0bH\
    awwSiwWLdToAPsYhXfkKXnfpfki2WkXiTl//6KGbWae7WrUIURoZY9ksWcHwi+gXrPZAapbejMZjhQjZkCgzmcmmlWpoaKe/nxY8Z+umkugmdnsD\
    i5fZiWoNkglscltWonNIPxWtmNi6fbpPeQjOhwmVqyc/ePj/pOc7aPWli6j+d7g0fYi9g2mOlFiugAdGfffhUMUThRs4edjDfymahgmDpsZZgueN\
    ejY9b+XDhbtVgKfVhopwkHkan9V5gsbXnWpfb5l5j7s1g5lJgwqwjiijs8dKfdbwlyn4g1YpfMq3gzmUevm+lgjwgyoJdaeilDkGaDMpeWkae3g6\
    a5iZiWl/geu3cztOmulVf2fxgNhacUitdNlBfXg+jSpha4tjukQJVFlElviaSrfrgRm1Z4hLlgdtVWS94ekJL0RYkhlcTgbsjKl3Zhe/iCjUViUu\
    3vehABTWgalBXEcleNgLYcifgNqETlTRhPuifS21bdWwb3aVeIodiDlsgpwvkkcvXEZPdoXcdzfucNcmaWjAeoiKh0ZngvqHUvL1iZkicdVcXijb\
    WndfgLiya2mEcf3i3CaIbcVkdLf5VvgpW4eRmUZ5j4r5UjmCtTNAOovQpqecbcRxX8b1mMZouTjzVqxfrcgSB2U3mngFatjleXYOl2a3jZahXkmJ\
    otgEGRfMnylRg2keZyRGnfegqgT5fpb7nDs9VlLyjY70gQhbgHjVp8bnabABVbQvoMXKiPlqkM0cklsGhm0SaPmvb7SjoMAMkdCiiq8fe4pDbMsL\
    duxfYRwBhckDZ6TErHjLdFR7dsX8g0bYZ5dLpvo2mEgwnFqZdF4HYjTneyURhtagXofFh8dgn2dazwRihQ2nfoGbjzTbgQQdSAjRmXcftqvJkrvH\
    dwSgcswwlGlOmNojeHpfhijVylqXmtrcn1XaaWfDmwoXhWZIfkkRg2eyqIgydWuIkYYTYWyChqh9iYgjeViCgpd7kmaWe9e4u2UOdJvulHcDZYd1\
    bXgQeJbvauvce4RxsgbVfhi7ipgaaecVa+decwZ2jlnwgCpqv007ZXcyj/hwbTifZ6goe1cQjQlLYAkGZpOugtlEcweFdIelaEdYg0c7fWtUcvpw\
    cJmzkokOW5weoHUGcEingceli4n5jed0B7PI8io0SYhKq+YRaTlwW7c8ZAldk+uoG7cWtmlJW0S5d/MUYHelXTaSZ7r0iyy3cJUHuKXvWFQSktAB\
    UoW+pAVqfVsBki4IeApYqQenWoZsfCObWYX9iZPqh+wiUNfJfOzMdwW3dPQHhnN/WTaTlcTvjAl7mmobaxw6i5cdVKb8d1dCe2bsfecUeErpcsn+\
    lCe/nDhEgJevbVnlcLfmf9Yzf4mXbbtbU+a3eypCiFknd1ZDaMg7ioeQcNd1W+4FWrbohBw0iAfGheV+hdjkf4aRjkccltj1tWQ7YXyhm/dccmdh\
    mNiGe7YjkRfPgCfbjxkrhPyejhXjfISloHbPZKZbntYLoZpfiHU/Sgl+buJqXXNOmQbLXaOxe/e9jgxpd9Wkdpj6ekX7gHWzh5UMaJWffBF6eun/\
    W2iwjJNeb2aHtPOndWTopVTSbSjNiKnQXu//qjLZh1pEq0LjjMa2jzS9WYobnySnMLyzu+bnqBqkqZW7mBi5dTVjYDqsjWVSTYhhz8WUh7arb3Yo\
    kCardfXGW3tOoEp2W+mYiORLe3aVdMmBrSSIXYaWQUpQpGeilGsTYZjub4b7bybpXhY6ZqUj3Ulbv1W/l1eCYLqfeZfZbkRiXecgWPZ+x5na0OXm\
    kDqiZDbwaLf4ZqVhW9ZJYEWTxDbdxBniorzsbXQCc6b/ZpUbXWatZuZ2t+gGxMcYdnhOqjsxV+e5h3YqWubxWmZcovVvwUo6VhABtOqpV0iElKaJ\
    aKiTZtgQrZR+xdXqUPIrt0oZe1YikTVfX8iWZrgql3fVsbxxZmWPp4Undvp8h4eGYzofZ8fgh/aufRZtlglEZFWYg3Y7ZVW4X3dHcagAkVUKn7aA\
    lXngWwkwesSJYicGZ4YjaHYokhiMihV4cFq8fDg2X4Zgauc9VJV8ZTWJnVimnXX+kOGxYnLVcvZQfucXeeaOewcCjmWtlNdakyoCd9ZSb4VUozoa\
    c7brZqmRc/llhasLU628cyp/kAqiceXzeltoi+vWftlogIdSdrYSlWGYcwhobcV7eUr7W/yRdigZmVdJhNjOXNDnjXnnjcejhPtciTt0eejRXMhu\
    bLRxkNicixnwiDgTiyoDmlkHheg7j1gXshtkX8g0hrYTWfklgMj4jSiFmolvfMwCifojWpVul7aKlZlQbudEgKgoqpVIjTfxmjtWcxFGhJZUdAfB\
    jFa/oPUjccOkWDcdiqtBjxABcFmul8YTkfcajLbhx5HGg4X4d0hOq+oon1jgnntkiIoMfPckwTOCf7LXk+LrkR7HeJpFb0wwc5jJUuY8oxFZsc18\
    jvXWlLrxYTc4XmcEcST2ZRftaRdYadpIdw2yjiWbg3NHcZsEaTShdZkDnAsAcgjRdXZGmXrJlYKvaZTbimZ9eQhwkFdkoeVWnF1bR/zYgfeifQqU\
    lNfgnBadWwrPhPuHb5ABbSlIfdVihnmAhvkKqAgWaOsYYKeag1j6jieMfQbGfMdif/nQoSl3bLrogyxRlbW2ZcYQimWJiawlitg1n1iOaMdBZ/mZ\
    dRmhg/lzdHUwhRgqi0l1nznodz4AchpvgWkzd3tkdMUahAhufrbKsamQUIkQU4lsRnYrijitf0WinEk5h2gkqtptTJZKVUbjnObGgLp7fUclqGns\
    dqiOrdtbWZRydqUFeNYDUKzcimZXoEjgg0fYrupJWFZYQvK+p7Oqb+YZfsLVezjUn1O9jjiVVeQwWgSwiHbKhDnJknYogibknlRVaChaW8hmVpc8\
    aAbUt7pueDknWUVcgUXJabaqgRkaXykUcgRlY42jYWlkUnhrfnYQZjXqXZiOXAaCdxldhVRWiGced9Z/hvb/hLbtg818f9q+kOYJdOPthpcucqWZ\
    dYeQetZFb/z7Z1licp3bcRkykBcVk0acgyb/gHeGhEo5cPqdemtenTUOnnVhhratgfYdhRYXZZrgdImTbbrHeKXcf3XjgTq2fNXmiSeNbGiDe+l1\
    kXfHcvmBjwUuenhShLbTg6gPbqsqiYZPpOhBcs6BmFWojknqina1k1dVgJlxcFcvfoNLeQ4beNVNfZiiieXUhdeAcro0eBiIe2IqnGmyeWXuluWg\
    cfWlcZXMb6UPfWxKn/Jyih//ZOX9eqaCZRYRe4cXh9bWeBhXdXWVdviJfGZpawaZiGe+lalaajNEYTYKh5iSa9rDghhagBkJiOfNfod2kKW+feab\
    YzXeg1isf1bXgbtIg8lchAgCdsWKZsOMdHqEjTzUgpVwnboShxodiwlgNfaFQpR9knfXdwpBe7kIgInkjipji1pNMKIkPGTJgahnjCb0bWiKhLiZ\
    kxpQhxqGSLABYeMMbd3wfhctfQo+j1iym2qJktqGTsJBTtM2bvhzpmi2f2rumdjMjtnaj5oxXPJxL4OcWCrHi8iRdUmilck+i4lxh4jGcbQTWCRv\
    d9UasQpgXfs0i4gkgvl3lZkmaYccacNUdujKf/jKgMv/jwl2fglxkud9a1NWczSeRciZoZtoeGjYl0tshSdkj9jjWARkePcoSjW3sgjfnYgyo2mR\
    lgkwmBjrRxhskAoMfMq1cGlKjAtAiAm7oLnkoYlhV4jPbpjLa1rfgegNluwDc9lJnLm9gHlgeRWEg+i3ZKpqlHjAh93ebFihoLn4fbfKX8skitoz\
    nAwxa+SChBiPbPsugufkhFgKgad4ZrY0iGWmd8WPceknbgrOd/f/jccAg+cDdgesjkNdYknpgpnwgHeEgvhAnRhukkjDkNemgkkto8iTg8f8d6XF\
    k/aXi3eAhyi5eml5YaZShbZDcBXJd0nWeRgZkNcLiKlIY0dDk8g3fKjwfgngesYDgIcvl2hkgyjfY/QJWMfdgzwLkccYfudHgxctjbdngPiNce1j\
    lCCHsSmSfsaSmZkRdAbYsCkKY3eAbvjiMHAB0FzgR0kbm6dJZPjk1sk5ecMSf3auU5fuzy5XdqpesggcfalYvyiijKjaczhPoPTtbop7kEl/hRlu\
    cyhRW0gRl+k6lfjhdVypHpRVmZh0XyfFjad0ZjlRphlJendmv25URHKXgWWJYFhKcuS9XijJsMhZeVueibltXReIfxiNd1qMlUbLg/jvd4g2iJYh\
    lhdTgliAgmlaeideiddShrfCbjgJa7gqXIl1jve2l3Z/iRfkjjgGivewfTklfjbEdIlaYgp+nqWGcjiTjjkTgJemd2ekdohPr3cUcIaAf2fNY4rR\
    qeh0e6qRXvVYdjoLoYlRciV+o1aiRiqHjxllejoVaNlxczR1uNaxiMkBdHcVfWTki1oPhHipeqj0V5d9hLiNVsUYZqhmf3gMeck4jmhvZzdCcoWA\
    eQoUWRgOZjxZhIb5erc3olm1a4X2eJWPlXbPeElyXWoXg0jMe6YWk7jadCeyYigKU+PqcQytedO4n1sWXsdXaCh/cUYEa7hXc/AQf81OYPmmkTkE\
    daoPfkgXZUfPeRmVT1ABq123eq26clbffcm4h+c3inN+hQhtj3O/dsr3cmlxckdWb0cFa4dvfpfti/NziRP+f1m+dQnie/a2apYncBcBcrNKk3Z1\
    d/Wzjgmfe0lUl1a0bIfFdGeIYMigkjczboPInOa7ZFtumvlMbSb3gMdHa2c5d5hRYyZCuMo5aepml/lJacdkhPewTueynAizUYbTm0UeZzpdjyoG\
    cZeOhAe5ayoBhnhIXzvxpNXyaFmZrnq/ZuhGkKeqXIm8kLhZT3palnLAZjtvnmlzb9iHiyhwRspmeSkXdX78i3ABghumm6n9d1lJlyipVplYfZki\
    Xv4YorFBhTrYgcrLj7jwiri/hCkXjnk0XtqwpuPIeByPi3x8halfhMk3dmWrjBqEchPjvBPKf55vjqwyensmgDnfaHcNqmbAXIn/rML6gd3ikYsc\
    fEqscyuZdjUCiUStlgKnaKXicbiXdke6hbhweYeQlysCgbSFlNNwZgjtkTfRkAXCa8sVedcrd9UJmN5AwPaXXat0i8dTX1bicznmgxZQnaZqiNer\
    nc37eu44egW6byifdYYadtR6iBn2VNqbrOjjM4qTiBVqeikEbJZQf+ZBTmfQNbn8uzZTJniQhUVxdsaJSZhXeTbuUL4fVJlVreh7OxxrgtnYdad/\
    TbYtiXuiZfJnY0UYwUbZYY//aLh7dvu5VEmFXyu7WHP+nZYKaakBwJmUNlgBYCrHSyuxa62eWCZieONfSqfypTsVcqeYhoWmjzhkRIoDQBf2hCfc\
    Hr6YiXcLnRUZwSTNtPQGg0N6knngXNlWt3E5hVB1sWoGngOhtHjKoVSyktdilmdEh1c9SNjBoUwmeaCOjsrhiWUtrERChvlQTrk6tsqZZxiJcEUC\
    cgk5eVjAcLrxdDyZbWXCimj8ieYLg4VQaBhhZVhPT/01VEm8lenyZ/OOebfTgsiWcqdvYphXVHdaPHfXtba3VtxFehlaZtf5bNhegKgDWihHUsgI\
    vDuzL5iulppDa8exb7fIkPStXiV4V6ZUvdoBPtfRjwiffNdFe7fbk+aueitxTYeVovi+Y5uAlgxLnIeBgXfoiLbuZUZ7WMNuhAmAgmo9Ytrsh4cK\
    bah2mHcsbzkHZrnrXLl23gXVcLr1dwdmeJshYcjWerbzeyq0SVp7jsABcBlzcatjYkyJVFjqXYrLXljDebiHpPQRhxkXcRdfjDhykmhFYSm4gRh1\
    mZ+lo9Khc6pBd/cGdyZhcWcef6NftHMmh3PukATWgPeHbjXod7iCdNaCpdX+ggMTcvc6scatYNexiUbbenjVdhk+Sbg2dgaeZvfSqqd5btddj+hK\
    ZtjLgHmbQmHZc/MUSrf4qqakfeY1scjRgwhlf4kDVnMSe5ABXXa/uzdZf7cymsfSiAjvjXjSYHM9qNUWMM+Eljl0k8ftsWgxmIe1mphBWZGYedRO\
    Yuhgnfdje+gKqeh1g5iTkrbZXLb3hwZ0dSjupxK9jtn3ojp0lvhsnRi9d3h/dfYFe8jzmSGBfYsHnGfSlwj0fKg7a+zPaKnaeU5hrQFrq/vphIgK\
    k7lGdTekgzkXgqomVKxisnS4n5wMfZlylVnAgSeufwnyhxoua3wBcSX/hlm3l0kOpqososmMSji4Z6dTaFnUpmRHiItDovmek9rXr7m8eOpGfAku\
    dDjXXUs6gN3+hq2PqLoqqXuam+h4YmiwjKZrbUK4iHz4c5b7eYZZiGate80io0NebvlNoIeZcpbCdiXtfFXWfvXYx1UzoJkOdydVp3VYefefgSY/\
    fbYjZ8YZhPb7mAYXRY50jBcnc7jGhFgDf0WpeNWXeclHgcz+U+TFfEXshrgNcxZmdJW8ahhXW0gXeZUud14KksPEbncGmoYQdnQTaDVueKcuhWsy\
    XgY9tttvZGdSj1VFf0VUd/V6X8+lcpdrYxHnrct8jkrenVU/fbgnbReiiQtshhpaS9BRskdJjHc2gkm+fscwW3jWU9YiekdldBPjhDwfZMYHeYd+\
    fseka6achnOUhntLWq5/eTe/Wzb1ajRYa3epmaZIYLo6j3mzYU6ptajoaNe1qkjwaAbOoJapd0wqx+g7ABi/w366cuUOvltvd/U3jnkDW3m8t4mo\
    lMZudqWVZBfKXPTDY4r3cAnamQpKyddgffpchwepUvgTZVT9R3ipbic+neWiniYfc5b9iFusZOjzfrYrQXblZjiOj+t1kwfMfgYqQOfiXFoXZcyd\
    SAgYcViVemfpmGhtmuTKXEtenZkLZ1itVZjKgCk+j2o9YvTZu2lOQms0gXj0b9sjVcUzd0eupxoBhodPpW3TNlcvj+wvVaxAYmhtYIlivoDZiKR2\
    yCpdR2dRiJdmYcxEZOj5cinRxgPJu7O+ebW/gb64oEoLnpt1aNoYW7m1wyAByBDCZCXRY1UDejd9hgvjbnjgarppvmMLmGexwFwITomDdNf0v2bR\
    fCchcvdLqipxhpyB44QoRkOLlJN7nhe9fBmZmUc5tpb4hCdEqDb7RRp6scQZjBd6jDtNkkfOn8ZbmLjZ62qLZXltpxjrUAkaT5T6S2U+9CY7mzAB\
    mkVWXezzbOvdU2sYReaEY6gFv5s7jhK5rUf6ZPFLcIzPhkn8WYemTwcysTNhqruolX7eaHYZXhy2hJjFR+p6PVlXyGO0zyc8VopXs4NQOY5pfPjx\
    SRlnS8pdyHsUyHuULVkk5ZOVPx39hGvcYEocUiqGmrYIx9qDE4oQ57JlN5rKopniPRtcV3gpggX6pV5SfLDczpyrRQyPpomKPKmTYxiKgNUYhJm2\
    bzougJVncarIbcNIZ/ZTlscSjRUClx2UW/4EeJWnhwsSanhaT1iHViWBwHshfYjtVvfKaQdgd7ymhWzLUExrWtiwnrNmqcWet4lEU8vZd061cnjp\
    ZQlUXiaRkkY7j8RzwXmWgHI0Zxm8kQ5hV+auVfdBlammg4P2moABSpnVoZQvk+mYl7lZmuncR6agT+d3iCduazvTmiWNhlwOnklvlPoLWRaYXvdB\
    iEtDiRchg9hbjsiUmEpMm7o8YOoKYfYfdDZLkV7KhbhSiQozisp3n+q7aJlhdOhQW/dhavfpgyogiDl9lvpWsEoFf0Ykg+vhbY00cdupjzqqpMnU\
    mUospApVeAakeQpqhSk8dbcohFndmYmmh4oyo4knhIixchimdObBc9a/gCm/eKfYkBgRo1fhaMcAbRcOp4Y2ViuwhnhgfyfThGY4onfQiHjdeikk\
    hWJwcK6DiQhPa6lNe0bClxmVfHenezefnFVVPuzzj+qvZLjKeIgSilpcY1ctb0YlrVOwMPhPiVu3TFoYgjhDZcknjXOTYOKovxMoNZ5JhluTXclN\
    gymoa7p1dZUGT/Tcq7yDcH4Oh3RJaSlij6ndmdbeXJeaX7s6fZjfdKj0ewgaeQdxlKiVmZacaPj/XW1ld6nhgwVzhgbse2hXoRgsmebzSgjxWTPJ\
    wIlaP1LyivevX1aYn4h8kha3FDVsKJlZkGwAc6ntiVbMfTk3mLiCoQjgaEjHbcC5uCuwViSojrlzkPXroxlUnGkEcTa9YuSFTswwZIIfj6cjgBZ+\
    ibhvj3hrSxUjUsbFOhlgqclkdyjakUtTmSj8gZoIPTfkVAZXecqhYwDQc7cdj4jiklbQonrEXbPoYERWncr3hhv1YGMBc5iWgmSHb6jfg0c9URBc\
    SqUT2wmTaYcSfEW5c0RDObZDegotdCzJOHRy1OkyUAikeYZpcQjOddWBYUcdf+vRABMIwHl9U63Tb1cPbnf2Y+hFcufdlgkFomaIh9//mJcbdjjA\
    iMpIhfiibWbPx1URhjN9VJ1fm8SbfHjlZwnMivmrk4cVeBrWi2I8V6w5gFVugCeadMYHisemrhn3YvkSr/eeiKTgeDXlXid7dQlbf/ancBwpgOn+\
    hoORk+WHZJeFjGiGd4fXbtZYiirQc9wkW4pgXSotngcugBi8gEbaeKhSsqh0XupHYD3YnoAhdlgQeQlga9fHfukGjajVanXjOUcInJdkiIl5eJb3\
    h7j1e7lsRlV9cegpOcvAmuENZ2jllmmqhfwMVHmyhsW1cNhelLnGv2rnenfQmVeqgBgYb4kfWNiRrAXRgI0bpDfvZvfMpvNFiNYAvLeBeGPsdgnI\
    nykVQyYxfviWhfUUaPiFlsZzjbWsamOtbFxTa/kof6qpVTK5a3m/fwSEigTZoTXrdSqmaVV7jBWbjQLsgGrYkpyHflS7ZHkVtYi9haZMkycxkJNs\
    e+m9f3w5i0fUbNyHd4x4etq9kypJfzUugcqQd3oxjydwYCZYgPS0jzKHfGg2f7Ycc2k6h4gWpccNeVcNl6SJaisCiusbnxeJaqkWlWhWqupejhRb\
    o4i+VKXgiUqphce6cEiBl8gmpdWyd3NWpC0DQGZmmKwcgNfofDmalueMr6R/cWXfp6saYgJnjcmWiNcefQlKntbzpfm3hLY1fXrchmWNemchhwg3\
    d8jCe8aMk6iefSndefhecQcUaeR6WkWJergYeXWxlnmDlHxegtntdlhXd2VdWEYKj8d8h6fmibrYdB0knkpHmSABd4EVbYj0ecc4iLiSg6tlhujb\
    kLjVgkVZX3DdbNuGW0SLcqpyeXoPcge1ctjDfpq7hAdiicTvkYfwc4e1nkxVdIkLfOkra8cdhPZugudJgSdngojQYeabawlOgGi5WrD8kSZQcUfY\
    ihkEeza9hdVhdqpoaq8veshSjAkQhxbpexg5fUfsaNX5eGU0e7stmWpskJhMk0kugjfZg2dzeTPWmVW3b3qTfRfqkXfJhUnaiMkRi8fOfOQsdQd1\
    eSoYirhyeIcgsDxZiEgRdgghdXYchHNoVrWXibmbjYdEfygveRa9eMZAdef9d6qUUhIXsYjXe1VxksbMdMVpW9SAfwncjimqbsEdfg//aZXEdDgf\
    fFgValVJhym8btfJpN5OUuPIeYv2agf5iKiYjTnld7cCdpT1kQyhZBSPfQm9Z6dWh4kwd1fma5pJT7YTg2bJgnoedxmFa7g1mPrZhQobc8g8TSdZ\
    U2uXqoaGYsR1l3Y+XfWveYa+c6zOe7rkcMccWniVacUTeaZGcqb/gJWapmnO1zoflUlAjnXXbBZPkzXWaScpb+c6d/qZgAmTUOVlhZ3Yb4hehVXZ\
    briWdVaFgthFjfrMhqZykMz9jBb2eJjzk0gqeSf2grTTpaZfZoMllPm3hJgiZsicm/gieXZUreaonAn1nKOFj7hrl7RvfucxmIgFbygBmPf9mElT\
    goh0SEpKleQWd5bzhEewfsfnfcjQhnpMmN6hiSABfZhxjrT5emWzkXaPhmdei9/XhRTyhzAqgebFfnLbcsV9mXOeYEktcncymgSbfJelfUisasaV\
    k1eEhJY5hbh1gdhClRl1TK2LhsXMineBmZb9oMebaijKcQbDjUT9JqNCjPZflcvqn4WZhKm0aZi0UqIPRxemwDtueqbLsludlueGhPgkb3wQh1s+\
    ZDTwii1Wb/aulmfTfNh+c1e4n6//mBe8nMbQjC3XdqiuogdHe1hXeMf5fOddSmcriSgvVpHcoYjUinlgkWq7cce0cBcUcjPnkxNzP9tiiNY8iUfV\
    eon0bnklfcXkgARCZpN3YmjYfkeRgvwmeMigdVkpqVNBbOBerguFkJabjTV/hIrOhXfoblhgmdVxcFcgIHtCvlaAeIbnt4Y7gfY3ZZaUWFUdsNd7\
    AhNj51jsbfRUqnTKdcXLSRRwUidSdzmtfMXcqAl2ZeefnRb7aIj5YYVAcdqdTopFZdoXinllfCs0XaW+hSmBcnVBfu8GnwcycjfytSh+eRefa2iy\
    fehubGbzhaeKe3vRV4lbsZsoaQiVpbm7fndWdDheoHZBV9QFXFedl5hnfoauhxcphMhgj+h6bkoAiXjXe8mFpMXdfrTsh9hqeldYizgCoMm3c8a+\
    XeqSkwThc6e5hWckhAhHiKgCkanleJOkdDmof3qsiQdsiYcPd/jbiva3jDoscqZcX0pfb8ycfCjCiKZHgkfhkNh+mTrlb6PzkGXDi9pvfrhTjzcz\
    iGhNhRgFjHhIjiizb0Y8j1Yke5Ybk2aqg9eDjciveSqDXvhhg1pNn7VPcnS2rcbkhdXkpYZPZztxd4lxi385fzEbg3d3fuJmerZ3qyVmjBVSXIr9\
    nqh2aZLRhKtIirKrj4lKmGXvmzwNVMgbY0j2dJeqigrdjheueWjrdqpmcPnHdHiAdWaydgi7evlybjnAd8jabPoAd+b8hnQdYXABmmpfhEdGY4oA\
    ZbcucGcXavMTewcmbRd6kNTuk6fEgGjRdnphd/kInYTdgFhzcqYNncFJf8cYdEhjgJj7cOiYnJdJoHXkYfacoEcudRiwjVixhzoofKgSkubQqvYG\
    cNh4iFbqd6hqhKivgKi9f3iAjbaon3lraycnqNX9dgjsg1c2ggiJdZnZj9kEhdg0bwpvkPapcmgTf9kWc0iBcVleeXkDl+g9jMiyjBiYhgfQfBhm\
    f3c0fggMbWVMiYapeOlCfvp2d2hUcWeQhVdlbGdghhXemjcuXkQHhE0LdAazcJoUeNc8cXmDgWWRjCbCbiABlV12aRhljCpheedDe4hZgRoHg2Yl\
    gdezeOkvc3cTjng4fhZAgOePdZeTbIs2WjeDjdk4d8jJmbYcgEfnega6egjMd1oBf7mdq2mSj/jglsZTiHkwjjYMdVfafttQdruSKxVFZHo2UpoJ\
    aNdOhIbBjuqKezdFtiiZWCrIT7ppb0ijargsigUEi+Q/gkt2cVp1TnyvXic9X6WZeBaRocWbi1aTnvhBSgEfe57PgTXfZ3fsesY1oPYnlIrwZ4Zi\
    nmF2kQ2af4REjheEfuXLhwb/WHqtfYTtmMXPdsLIcBmMerc7iXVgdbgpKqmxZzQqhMf3kTbjdAl5fqjRgAgQiqncUUmSYQkLReABy2s+T4S6p0wH\
    XblrpQlGawS+Vv0eOMS5u+2BY9gJwUp2Z8n+vQzOXQTFd9PMUAbJowa0j7uItmmHhlfuuUpJdYi7VxP7gxYSYHXkp+fSeZrTeKjDUpVtqalMmlcR\
    znj1SJyrmMlMbvX4iefwZneoxWpbiUhS8o8LMGL4jkhFbIKWZZZqZbakrIeVj+rlhvSIp7yNkQdMg5j0fnanjze4hSaDf3wAfEVQm1hzf+iYn4j1\
    jLg2c2elhTQajfkhYvkfnJsmkccFpMj6k4faddf9dIb4k0b1eFm4lDmfkDekgHeGmViCZGd2eCdVfyUvfBQDiQoVkPizg+fBk4k8ZzjuoWV1gwQo\
    hZipd52Li3Vpbthnp4e8ZQicbcYycakxj/yEWSiwlggwYfZPpckzXTdbZ4TFVwwOjB//Z/VDv0ekZAQNo2etZNZHeH+kdvoLk1sFR8HxjignhLO4\
    jwjYk2Z1gzqNUjzDXI+FpoDTcsz0m/Kectr+t2XKhOYgdxivXG7owrLuYQuGn9lZeTmpd4eNiBkohRbYPTJOtzxsWJm7k+XxcCp/fmh9bihChCYo\
    YXbEqsosdUmVjmguj+f9hDfrdXJoajTG
    """
}
