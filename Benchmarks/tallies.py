"""Makes a tally file of any number of clips out of a small one, to measure bench merge: tallies.py SMALL CLIPS OUTPUT.

Clip n is a copy of line n of the small file with a name of its own; every ten clips are one person's.
"""

import json
import sys


def template(line):
    """The line with %(clip)d and %(subject)d where the clip and its person are named."""
    line = json.loads(line.replace("%", "%%"))
    tally = line["tally"]
    line["clip"], line["id"] = "@clip@", "simulated/clip_@number@"
    if "result" in tally:
        tally["result"].update(dataset="simulated", name="clip_@number@", subject="s@subject@")
    else:
        tally["subject"] = "simulated/s@subject@"
    text = json.dumps({"clip": line.pop("clip"), **line}, separators=(",", ":"))
    return text.replace('"@clip@"', "%(clip)d").replace("@number@", "%(clip)d").replace("@subject@", "%(subject)d")


def main(small, clips, output):
    with open(small, encoding="utf-8") as file:
        head, *lines, end = file.read().splitlines()
    head = json.loads(head)
    head["clips"] = head["plan"]["clips"] = clips
    templates = [template(line) for line in lines]
    with open(output, "w", encoding="utf-8") as file:
        file.write(json.dumps(head) + "\n")
        for clip in range(clips):
            file.write(templates[clip % len(templates)] % {"clip": clip, "subject": clip // 10} + "\n")
        file.write(end + "\n")


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
