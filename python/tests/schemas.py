"""Checks values against the JSON schemas in docs, with nothing but Python: the keywords that these schemas use.

    python3 python/tests/schemas.py docs/results.schema.json reports/squat/latest/results.json

prints each fault and exits with 1 if there is one.
"""

import json
import re
import sys
from pathlib import Path

_TYPES = {
    "object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool,
    "null": type(None)}
# Keywords that say nothing about a value.
_NOTES = {"$schema", "$id", "$defs", "title", "description"}


def _has_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _is(value, other):
    """Equality in JSON, where true is not 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def faults(value, schema, root=None, place="$"):
    """What in `value` does not follow `schema`, a line each. Raises ValueError for a keyword that is not known here."""
    root = schema if root is None else root
    for word, rule in schema.items():
        if word in _NOTES or (word in ("properties", "additionalProperties", "required") and not isinstance(value, dict)):
            continue
        if word == "$ref":
            yield from faults(value, root["$defs"][rule.split("/")[-1]], root, place)
        elif word == "type":
            names = [rule] if isinstance(rule, str) else rule
            if not any(_has_type(value, name) for name in names):
                yield f"{place}: expected {' or '.join(names)}, found {json.dumps(value)[:60]}"
        elif word in ("const", "enum"):
            allowed = [rule] if word == "const" else rule
            if not any(_is(value, one) for one in allowed):
                yield f"{place}: expected {json.dumps(rule)}, found {json.dumps(value)[:60]}"
        elif word == "properties":
            for key in rule.keys() & value.keys():
                yield from faults(value[key], rule[key], root, f"{place}.{key}")
        elif word == "required":
            yield from (f"{place}: expected the key {key}, found none" for key in rule if key not in value)
        elif word == "additionalProperties":
            for key in value.keys() - schema.get("properties", {}).keys():
                if rule is False:
                    yield f"{place}: expected no key {key}"
                else:
                    yield from faults(value[key], rule, root, f"{place}.{key}")
        elif word == "items":
            for index, item in enumerate(value if isinstance(value, list) else ()):
                yield from faults(item, rule, root, f"{place}[{index}]")
        elif word == "pattern":
            if isinstance(value, str) and not re.search(rule, value):
                yield f"{place}: expected {rule}, found {value[:60]}"
        elif word in ("minItems", "maxItems"):
            if isinstance(value, list) and not (len(value) >= rule if word == "minItems" else len(value) <= rule):
                yield f"{place}: expected {word} {rule}, found {len(value)}"
        elif word in ("minimum", "maximum", "exclusiveMinimum"):
            holds = {"minimum": lambda: value >= rule, "maximum": lambda: value <= rule,
                     "exclusiveMinimum": lambda: value > rule}
            if _has_type(value, "number") and not holds[word]():
                yield f"{place}: expected {word} {rule}, found {value}"
        else:
            raise ValueError(f"expected a keyword that this check knows, found {word}")


if __name__ == "__main__":
    found = list(faults(*(json.loads(Path(path).read_text(encoding="utf-8")) for path in reversed(sys.argv[1:3]))))
    print("\n".join(found[:20]) or "no faults")
    sys.exit(1 if found else 0)
