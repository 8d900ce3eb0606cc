'use strict';
// Plays the clips of the JSON in #played-clips: skeleton, signals and what was found, on one clock. Other scripts of the
// page can show further clips.
const player = (() => {
  const root = document.getElementById('player');
  let clips = JSON.parse(document.getElementById('played-clips').textContent);
  const part = name => root.querySelector('[data-part="' + name + '"]');
  const [chosen, play, speed, loop, ghost, scrub, status] =
    ['clip', 'play', 'speed', 'loop', 'ghost', 'scrub', 'status'].map(part);
  const [mend, fixes] = ['mend', 'fixes'].map(part);
  const [body, lanes, video, legend] = ['body', 'lanes', 'video', 'legend'].map(part);
  const make = (name, words, parent) => {
    const made = document.createElement(name);
    if (words !== undefined) made.textContent = words;
    if (parent) parent.append(made);
    return made;
  };
  // A menu on the page for each key of which the clips have several values. Returns whether a clip has the chosen ones.
  const addFilters = (keys, filtered, changed) => {
    const selects = {};
    for (const key of keys) {
      const known = [...new Set(filtered.map(clip => clip[key]))].sort();
      if (known.length < 2) continue;
      const words = key === 'subject' ? 'Person' : key[0].toUpperCase() + key.slice(1);
      const select = make('select', undefined, make('label', words + ' ', document.querySelector('.filters')));
      select.dataset.filter = key;
      select.add(new Option('all', ''));
      for (const name of known) select.add(new Option(name || 'unknown', name || ' '));
      select.addEventListener('change', changed);
      selects[key] = select;
    }
    return clip => Object.entries(selects).every(([key, select]) => !select.value || clip[key] === select.value.trim());
  };
  const left = 118, row = 26, panel = 92;
  let clip = clips[0], time = 0, isPlaying = false, last = 0, lost = null;
  // Asks what would mend a missed, misnamed or invented rep that does not say it itself, and the rep whose answer is shown.
  let fixer = null, mended = null;
  // Gives up to begin by itself.
  let stay = () => {};

  const decode = own => {
    own.frames = own.times.length;
    const bytes = Uint8Array.from(atob(own.poses), c => c.charCodeAt(0));
    own.values = own.width === 1 ? bytes : new Uint16Array(bytes.buffer);
    own.greatest = own.width === 1 ? 255 : 65535;
    own.model.forEach(decode);
  };
  for (const [index, own] of clips.entries()) {
    decode(own);
    chosen.add(new Option(own.title, index));
  }

  const color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const seconds = t => t.toFixed(2) + ' s';
  const end = () => clip.times[clip.frames - 1];
  const inside = (spans, t) => spans.find(span => span.start <= t && t <= span.end);

  // The last frame at or before a time.
  const frameAt = (t, own = clip) => {
    let low = 0, high = own.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (own.times[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  };

  // The frame at a time, with the share of the way to the next one.
  const momentAt = (t, own = clip) => {
    const frame = frameAt(t, own), next = own.times[frame + 1];
    return next === undefined ? frame : frame + Math.min(0.999, Math.max(0, (t - own.times[frame]) / (next - own.times[frame])));
  };

  // A joint in the clip's own box, whose longer side is 1; nothing where it is missing. Between two frames it is on the
  // line between its places.
  const place = (moment, joint, own = clip) => {
    const frame = Math.floor(moment), share = moment - frame, at = 2 * (frame * own.joints.length + joint);
    const placed = at => own.values[at] === own.greatest ? null : [own.values[at] / (own.greatest - 1), own.values[at + 1] / (own.greatest - 1)];
    const here = placed(at), next = share && here ? placed(at + 2 * own.joints.length) : null;
    return next ? here.map((value, axis) => value + share * (next[axis] - value)) : here;
  };

  // A canvas of its width on the page, in CSS pixels.
  const surface = (canvas, height) => {
    const scale = window.devicePixelRatio || 1, width = canvas.clientWidth;
    canvas.style.height = height + 'px';
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '13px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    return [pen, width];
  };

  // Lays the video under the skeleton, if the poses are in its image, and else below it.
  const placeVideo = (width, height, size) => {
    const isUnder = Boolean(clip.image) && video.videoHeight > 0;
    video.classList.toggle('beside', !isUnder);
    if (!isUnder) { video.removeAttribute('style'); return; }
    const [x, y, h] = clip.image, style = video.style;
    style.left = width / 2 + (x - clip.box[0] / 2) * size + 'px';
    style.top = height / 2 + (y - clip.box[1] / 2) * size + 'px';
    style.height = h * size + 'px';
    style.width = h * size * video.videoWidth / video.videoHeight + 'px';
  };

  // Keeps the video at the player's time; the recording's first frame is at 0.
  const followVideo = isMoving => {
    if (video.hidden || video.readyState < 1) return;
    const wanted = Math.min(time, video.duration || time);
    if (isMoving) {
      video.playbackRate = Number(speed.value);
      if (video.paused) video.play().catch(() => {});
      if (Math.abs(video.currentTime - wanted) > 0.1) video.currentTime = wanted;
    } else {
      video.pause();
      // The middle of a frame, as its very start may show the one before.
      video.currentTime = wanted + 0.004;
    }
  };

  // The rep of one side that is under way, or was last.
  const rep = t => {
    const spans = clip.truth.length ? clip.truth : clip.found;
    return inside(spans, t) || spans.filter(span => span.start <= t).pop() || spans[0];
  };

  const isCorrect = (span, own) => span.isMatched && !own.labelledFaults.some(fault => fault.start < span.end && span.start < fault.end);
  const correct = (own = clip) => own.truth.filter(span => isCorrect(span, own));

  // The nearest correct rep beside the one under way, of this clip or else of another, and its pose at the same share of
  // the way to the turn and back.
  const ghostAt = t => {
    const own = inside(clip.truth, t) || inside(clip.found, t), source = [clip, ...clip.model].find(one => correct(one).length);
    if (!own || !source) return null;
    const others = correct(source).filter(other => other !== own && (!own.name || other.name === own.name));
    if (!others.length) return null;
    const nearest = source === clip ? others.reduce((a, b) => Math.abs(a.start - own.start) <= Math.abs(b.start - own.start) ? a : b) : others[0];
    const hasTurns = [own, nearest].every(span => (span.turn ?? span.start) > span.start && span.turn < span.end);
    const [from, to] = [own, nearest].map(span => hasTurns ? [span.start, span.turn, span.end] : [span.start, span.end]);
    const leg = hasTurns && t > own.turn ? 1 : 0;
    const share = (t - from[leg]) / Math.max(1e-6, from[leg + 1] - from[leg]);
    const time = to[leg] + share * (to[leg + 1] - to[leg]);
    return { source, own, nearest, frame: momentAt(time, source), words: 'ghost: ' + (source === clip ? 'rep ' + (1 + clip.truth.indexOf(nearest)) : source.title) };
  };

  // The size of a body: the longest diagonal around its joints within a rep.
  const extent = (own, span) => {
    let longest = 0;
    for (let frame = frameAt(span.start, own); frame < own.frames && own.times[frame] <= span.end; frame++) {
      const places = own.joints.map((_, joint) => place(frame, joint, own)).filter(p => p);
      if (!places.length) continue;
      const [wide, high] = [0, 1].map(axis => Math.max(...places.map(p => p[axis])) - Math.min(...places.map(p => p[axis])));
      longest = Math.max(longest, Math.hypot(wide, high));
    }
    return longest || 1;
  };

  // The middle of the hips, or without them of all joints.
  const middleOf = (frame, own = clip) => {
    const all = own.joints.map((_, joint) => place(frame, joint, own)), hips = all.filter((p, joint) => p && own.joints[joint].endsWith('_hip'));
    const places = hips.length ? hips : all.filter(p => p);
    return places.length
      ? [0, 1].map(axis => places.reduce((sum, p) => sum + p[axis], 0) / places.length) : null;
  };

  // The head is a circle around the ears or, if not both are seen, all that is seen of the face; its joints are no lines.
  // Its size is that of the charts: by ears, shoulders or the profile, whichever is largest, up to a part of the longest of
  // trunk, thighs and shanks.
  const isFace = name => /^(nose|(left|right)_(eye|ear))$/.test(name);
  const bodyBones = own => own.bones.filter(bone => !bone.some(joint => isFace(own.joints[joint])));
  const traceHead = (pen, spot, own) => {
    const [nose, leftEar, rightEar, left, right, neck] = ['nose', 'left_ear', 'right_ear', 'left_shoulder', 'right_shoulder', 'neck']
      .map(name => own.joints.includes(name) ? spot(own.joints.indexOf(name)) : null);
    const apart = (a, b) => a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    const around = leftEar && rightEar ? [leftEar, rightEar] : own.joints.map((name, joint) => isFace(name) ? spot(joint) : null).filter(p => p);
    const sides = ['left', 'right'].flatMap(side => {
      const chain = ['shoulder', 'hip', 'knee', 'ankle'].map(name => own.joints.indexOf(`${side}_${name}`)).map(joint => joint < 0 ? null : spot(joint));
      return chain.slice(1).map((joint, index) => apart(chain[index], joint));
    });
    const measured = Math.max(0.75 * apart(leftEar, rightEar), 0.27 * apart(left, right), apart(leftEar, nose), apart(rightEar, nose));
    const longest = Math.max(...sides);
    const radius = longest ? Math.min(measured, 0.35 * longest) : measured;
    if (!around.length || !radius) return;
    const center = [0, 1].map(axis => around.reduce((sum, p) => sum + p[axis], 0) / around.length);
    pen.moveTo(center[0] + radius, center[1]);
    pen.arc(...center, radius, 0, 2 * Math.PI);
    const length = apart(center, neck);
    if (length <= radius) return;
    pen.moveTo(...neck);
    pen.lineTo(...[0, 1].map(axis => neck[axis] + (1 - radius / length) * (center[axis] - neck[axis])));
  };

  const skeleton = (pen, frame, at, stroke, own = clip) => {
    const spot = joint => {
      const found = place(frame, joint, own);
      return found && at(found);
    };
    pen.lineCap = 'round';
    const lines = [[stroke, 3]];
    // A rim, to be seen on a picture.
    if (!video.hidden) lines.unshift([color('ground'), 6]);
    for (const [style, width] of lines) {
      [pen.strokeStyle, pen.lineWidth] = [style, width];
      pen.beginPath();
      traceHead(pen, spot, own);
      pen.stroke();
      for (const [a, b] of bodyBones(own)) {
        const [one, other] = [spot(a), spot(b)];
        if (!one || !other) continue;
        pen.beginPath();
        pen.moveTo(...one);
        pen.lineTo(...other);
        pen.stroke();
      }
    }
    return spot;
  };

  const drawBody = () => {
    const height = Math.min(420, Math.max(240, body.clientWidth * 0.8));
    const [pen, width] = surface(body, height);
    const size = Math.min((width - 24) / clip.box[0], (height - 24) / clip.box[1]);
    if (!video.hidden) placeVideo(width, height, size);
    const at = ([x, y]) => [width / 2 + (x - clip.box[0] / 2) * size, height / 2 + (y - clip.box[1] / 2) * size];
    const frame = momentAt(time), other = ghost.checked && ghostAt(time);
    if (other) {
      const [own, theirs] = [middleOf(frame), middleOf(other.frame, other.source)];
      const scale = extent(clip, other.own) / extent(other.source, other.nearest);
      if (own && theirs) {
        pen.globalAlpha = 0.45;
        skeleton(pen, other.frame, ([x, y]) => at([own[0] + (x - theirs[0]) * scale, own[1] + (y - theirs[1]) * scale]), color('good'), other.source);
        pen.globalAlpha = 1;
      }
    }
    const spot = skeleton(pen, frame, at, color('quiet'));
    clip.joints.forEach((name, joint) => {
      const center = spot(joint);
      if (!center) return;
      const isRead = clip.reads.includes(joint);
      if (isFace(name) && !isRead) return;
      pen.fillStyle = color(isRead ? 'link' : 'ink');
      pen.beginPath();
      pen.arc(...center, isRead ? 6 : 3.5, 0, 7);
      pen.fill();
    });
  };

  const shorten = (pen, text, width) => {
    if (pen.measureText(text).width <= width) return text;
    while (text && pen.measureText(text + '…').width > width) text = text.slice(0, -1);
    return text + '…';
  };

  // A lane of a comparison: by the value that was changed, or the detector; the status line names both in full.
  const side = index => {
    const word = ['before', 'now'][index], own = clip.sides?.[index] ?? word, value = own.match(/^\S+ (\S+)$/);
    return value ? word + ' ' + value[1] : own.includes(' ') ? word : own;
  };

  const isWrong = span => clip.isCompared && !span.isMatched;
  const hasCounts = () => clip.hasDetector && clip.isCounting;
  const rows = () => [
    ...(clip.marks ? [['marks', clip.marks, () => 'good', true]] : []),
    ['labelled', clip.truth, span => isWrong(span) || span.isMisnamed ? 'bad' : 'good'],
    ...(clip.before ? [[side(0), clip.before, span => isWrong(span) ? 'bad' : 'quiet', hasCounts()]] : []),
    [clip.before ? side(1) : 'detector', clip.found, span => isWrong(span) ? 'bad' : 'link', hasCounts()],
    ['nearly counted', clip.nearly, () => 'bad'],
    ['labelled faults', clip.labelledFaults, () => 'unsure'], ['faults', clip.faults, () => 'unsure'],
    ['labelled states', clip.labels, () => 'good'], ['states', clip.phases, () => 'quiet'],
  ].filter(([, spans, , isKept]) => spans.length || isKept);

  // The missed, misnamed and invented reps of which it is known, or can be asked, what would mend them.
  const mistakes = () => [
    ['missed', clip.truth, isWrong], ['misnamed', clip.truth, span => span.isMisnamed], ['invented', clip.found, isWrong],
  ].flatMap(([kind, spans, isMistake]) =>
    spans.map((span, index) => ({ kind, index, span })).filter(({ span }) => isMistake(span) && (fixer || span.fix)));
  const mistakeAt = t => mistakes().find(({ span }) => span.start <= t && t <= span.end);
  const say = lines => fixes.replaceChildren(...lines.map(line => make('li', line)));

  // Of the rep at this time, or else of the next one.
  const askFix = async () => {
    const all = mistakes(), asked = mistakeAt(time) ?? all.find(({ span }) => span.start > time) ?? all[0];
    if (!asked) return;
    setPlaying(false);
    if (mistakeAt(time)?.span !== asked.span) seek(asked.span.turn ?? asked.span.start);
    mended = asked.span;
    say(asked.span.fix ?? ['…']);
    if (asked.span.fix) return;
    let words;
    try { words = await fixer(asked); } catch (error) { words = [error.message]; }
    if (mended === asked.span) say(words);
  };

  const drawLanes = () => {
    const shown = rows(), height = clip.signals.length * panel + (shown.length + (clip.cues.length ? 1 : 0)) * row + 24;
    const [pen, width] = surface(lanes, height);
    const x = t => left + (width - left - 8) * (t - clip.times[0]) / Math.max(1e-6, end() - clip.times[0]);
    let top = 0;
    for (const signal of clip.signals) {
      const known = signal.values.concat(signal.guides.map(guide => guide.value), ...signal.moving.map(level => level.values)).filter(v => v !== null);
      const [low, high] = [Math.min(...known), Math.max(...known)];
      const y = v => top + panel - 12 - (panel - 24) * (v - low) / (high - low || 1);
      const trace = values => {
        pen.beginPath();
        let isOn = false;
        values.forEach((value, frame) => {
          if (value === null) { isOn = false; return; }
          pen[isOn ? 'lineTo' : 'moveTo'](x(clip.times[frame]), y(value));
          isOn = true;
        });
        pen.stroke();
      };
      pen.fillStyle = color('ink');
      pen.fillText(shorten(pen, signal.name, left - 12), 0, top + 18);
      const now = signal.values[frameAt(time)];
      pen.fillStyle = color('quiet');
      pen.fillText(shorten(pen, (now === null ? 'n/a' : +now.toPrecision(3)) + ' ' + signal.unit, left - 12), 0, top + 36);
      for (const guide of signal.guides) {
        pen.strokeStyle = color('unsure');
        pen.setLineDash([5, 4]);
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(left, y(guide.value));
        pen.lineTo(width - 8, y(guide.value));
        pen.stroke();
        pen.setLineDash([]);
      }
      if (signal.moving.length === 2) {
        // The band between the two, as far as both are known.
        pen.fillStyle = color('unsure');
        pen.globalAlpha = 0.15;
        const [one, other] = signal.moving.map(level => level.values);
        for (let frame = 1; frame < clip.frames; frame++) {
          if ([one, other].some(values => values[frame - 1] === null || values[frame] === null)) continue;
          pen.beginPath();
          pen.moveTo(x(clip.times[frame - 1]), y(one[frame - 1]));
          pen.lineTo(x(clip.times[frame]), y(one[frame]));
          pen.lineTo(x(clip.times[frame]), y(other[frame]));
          pen.lineTo(x(clip.times[frame - 1]), y(other[frame - 1]));
          pen.fill();
        }
        pen.globalAlpha = 1;
      }
      for (const level of signal.moving) {
        pen.strokeStyle = color('unsure');
        pen.lineWidth = 1;
        trace(level.values);
        const last = level.values.findLastIndex(value => value !== null);
        if (last < 0) continue;
        pen.fillStyle = color('unsure');
        pen.fillText(level.label, width - 8 - pen.measureText(level.label).width, y(level.values[last]) - 8);
      }
      const points = signal.values.flatMap((value, frame) => value === null ? [] : [[x(clip.times[frame]), y(value)]]);
      pen.strokeStyle = color('link');
      pen.lineWidth = 1.75;
      trace(signal.values);
      // Above or below the line, as far right as the signal leaves room; otherwise beside the plot.
      let aside = top + 54;
      for (const guide of signal.guides) {
        const words = guide.label + ' ' + +guide.value.toPrecision(4);
        const size = pen.measureText(words).width, right = width - 8 - size, level = y(guide.value);
        const isFree = ([from, middle]) => !points.some(([px, py], index) => {
          const [qx, qy] = points[index - 1] ?? [px, py];
          return px > from - 4 && qx < from + size + 4 && Math.max(py, qy) > middle - 9 && Math.min(py, qy) < middle + 9;
        });
        const spots = [];
        for (let from = right; from > left; from -= 12) spots.push([from, level - 8], [from, level + 9]);
        const spot = spots.find(isFree);
        pen.fillStyle = color('unsure');
        pen.fillText(spot ? words : shorten(pen, words, left - 12), ...(spot ?? [0, aside]));
        if (!spot) aside += 18;
      }
      top += panel;
    }
    for (const [name, spans, meaning] of shown) {
      pen.fillStyle = color('ink');
      pen.fillText(shorten(pen, name, left - 12), 0, top + row / 2);
      for (const span of spans) {
        const from = x(span.start), to = Math.max(from + 2, x(span.end));
        const isWrong = meaning(span) === 'bad', inside = color(isWrong ? 'bad' : 'ground');
        pen.fillStyle = pen.strokeStyle = color(meaning(span));
        pen.lineWidth = 2;
        if (isWrong) pen.strokeRect(from + 1, top + 5, Math.max(1, to - from - 3), row - 10);
        else pen.fillRect(from, top + 4, to - from - 1, row - 8);
        if (span.turn !== null && span.turn !== undefined) {
          pen.fillStyle = inside;
          pen.fillRect(x(span.turn) - 1, top + row / 2, 2, row / 2 - 4);
        }
        if (span.name) {
          pen.fillStyle = inside;
          if (pen.measureText(span.name).width <= to - from - 8) pen.fillText(span.name, from + 4, top + row / 2);
        }
      }
      top += row;
    }
    if (clip.cues.length) {
      pen.fillStyle = color('ink');
      pen.fillText('cues', 0, top + row / 2);
      pen.fillStyle = color('unsure');
      for (const cue of clip.cues) {
        pen.beginPath();
        pen.arc(x(cue.time), top + row / 2, 5, 0, 7);
        pen.fill();
      }
      top += row;
    }
    pen.fillStyle = color('quiet');
    pen.fillText(seconds(clip.times[0]), left, top + 12);
    const words = seconds(end());
    pen.fillText(words, width - 8 - pen.measureText(words).width, top + 12);
    pen.strokeStyle = color('bad');
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x(time), 0);
    pen.lineTo(x(time), top);
    pen.stroke();
  };

  const count = (spans, t) => spans.filter(span => span.end <= t).length;
  const words = () => {
    const parts = [seconds(time)];
    if (clip.marks) parts.push('marked ' + clip.marks.length);
    const setting = index => clip.sides?.length ? ' (' + clip.sides[index] + ')' : '';
    if (hasCounts()) parts.push((clip.before ? 'now' + setting(1) + ': ' : 'counted ') + count(clip.found, time) + ' of ' + clip.found.length);
    if (clip.before && hasCounts()) parts.push('before' + setting(0) + ': ' + count(clip.before, time) + ' of ' + clip.before.length);
    if (clip.truth.length) parts.push('labelled: ' + count(clip.truth, time) + ' of ' + clip.truth.length);
    for (const [side, spans] of [['labelled', clip.truth], ['found', clip.found]]) {
      const stroke = inside(spans, time);
      if (stroke && stroke.name) parts.push(side + ' ' + stroke.name);
    }
    const phase = inside(clip.phases, time);
    if (phase) parts.push(phase.name);
    for (const [side, spans] of [['labelled fault', clip.labelledFaults], ['fault', clip.faults]]) {
      const names = spans.filter(span => span.start <= time && time <= span.end).map(span => span.name);
      if (names.length) parts.push(side + ' ' + names.join(', '));
    }
    const other = ghost.checked && ghostAt(time);
    if (other) parts.push(other.words);
    const why = [clip.truth, clip.found, clip.nearly].map(spans => inside(spans, time)).filter(span => span && span.why);
    if (why.length || clip.cause) parts.push(why.length ? why[0].why : clip.cause);
    if (clip.video && clip.video === lost) parts.push('the browser cannot play its video');
    const cue = clip.cues.filter(cue => cue.time <= time && time - cue.time < 2).pop();
    if (cue) parts.push('“' + cue.text + '”');
    return parts.join(' · ');
  };

  const draw = () => {
    drawBody();
    drawLanes();
    legend.hidden = !clip.hasDetector || !clip.isCompared;
    scrub.value = time;
    scrub.setAttribute('aria-valuetext', words());
    status.textContent = words();
    mend.hidden = !mistakes().length;
    if (mended && !(inside([mended], time) && mistakes().some(({ span }) => span === mended))) {
      mended = null;
      say([]);
    }
    root.dispatchEvent(new Event('drawn'));
  };

  const link = () => '#clip=' + encodeURIComponent(clip.id) + '&t=' + time.toFixed(2);
  const remember = () => { try { history.replaceState(null, '', link()); } catch { /* a page that has no address */ } };

  const seek = (t, isKept = true) => {
    time = Math.min(end(), Math.max(clip.times[0], t));
    draw();
    followVideo(isPlaying);
    if (isKept) remember();
  };

  const choose = (own, t) => {
    clip = own;
    chosen.value = clips.indexOf(own);
    chosen.parentElement.hidden = clips.length < 2;
    if (video.getAttribute('src') !== (own.video || null)) {
      video.hidden = !own.video;
      if (own.video) video.src = own.video; else video.removeAttribute('src');
    }
    scrub.min = clip.times[0];
    scrub.max = end();
    ghost.disabled = ![clip, ...clip.model].some(one => correct(one).length);
    seek(t === undefined ? opening() : t, t !== undefined);
  };

  // The first rep that is missed or false, or the first turn that nearly counted, or the first rep.
  const first = () => {
    const spans = [...clip.truth, ...clip.found].sort((a, b) => a.start - b.start);
    return (clip.isCompared && spans.find(span => !span.isMatched)) || clip.nearly[0] || spans[0];
  };
  const opening = () => first()?.turn ?? first()?.start ?? clip.times[0];

  const step = now => {
    if (!isPlaying) return;
    const own = rep(time), passed = (now - last) / 1000 * Number(speed.value);
    last = now;
    let next = time + passed;
    if (loop.checked && own && next > own.end) next = own.start;
    if (next >= end()) {
      setPlaying(false, false);
      next = end();
    }
    seek(next, false);
    requestAnimationFrame(step);
  };

  const setPlaying = (on, isKept = true) => {
    if (!clip) return;
    if (on && time >= end()) time = clip.times[0];
    isPlaying = on;
    play.textContent = on ? 'Pause' : 'Play';
    if (on) {
      last = performance.now();
      requestAnimationFrame(step);
    } else {
      followVideo(false);
      if (isKept) remember();
    }
  };

  // Plays from a second before the first wrong rep once the page shows the player, unless the reader prefers reduced
  // motion or has already used the player.
  const begin = () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const watch = new IntersectionObserver(entries => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      stay();
      seek((first()?.start ?? clip.times[0]) - 1, false);
      setPlaying(true);
    }, { threshold: 0.3 });
    stay = () => watch.disconnect();
    for (const act of ['pointerdown', 'keydown', 'change']) root.addEventListener(act, stay);
    watch.observe(root);
  };

  const stepTo = frame => {
    if (isPlaying) setPlaying(false);
    seek(clip.times[Math.min(clip.frames - 1, Math.max(0, frame))]);
  };

  const nextSpan = direction => {
    const starts = [...clip.truth, ...clip.found].map(span => span.start).sort((a, b) => a - b);
    const found = direction > 0 ? starts.find(t => t > time + 0.02) : starts.filter(t => t < time - 0.02).pop();
    if (found !== undefined) seek(found);
  };

  play.addEventListener('click', () => setPlaying(!isPlaying));
  mend.addEventListener('click', askFix);
  chosen.addEventListener('change', () => choose(clips[chosen.value]));
  scrub.addEventListener('input', () => seek(Number(scrub.value)));
  for (const control of [ghost, loop]) control.addEventListener('change', draw);
  const point = event => {
    const box = lanes.getBoundingClientRect();
    const share = (event.clientX - box.left - left) / (box.width - left - 8);
    seek(clip.times[0] + share * (end() - clip.times[0]));
  };
  lanes.addEventListener('pointerdown', event => {
    lanes.setPointerCapture(event.pointerId);
    point(event);
  });
  lanes.addEventListener('pointermove', event => { if (event.buttons) point(event); });
  root.addEventListener('keydown', event => {
    if (event.target.tagName === 'SELECT' || event.ctrlKey || event.metaKey || event.altKey) return;
    const frame = frameAt(time);
    const keys = {
      ArrowRight: () => stepTo(frame + 1), ArrowLeft: () => stepTo(frame - 1),
      n: () => nextSpan(1), p: () => nextSpan(-1),
    };
    if (event.key === ' ' && event.target.tagName !== 'BUTTON' && event.target.type !== 'checkbox') {
      keys[' '] = () => setPlaying(!isPlaying);
    }
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  video.addEventListener('loadedmetadata', () => { draw(); followVideo(isPlaying); });
  // A recording that the browser cannot play is left out.
  video.addEventListener('error', () => {
    lost = video.getAttribute('src');
    video.hidden = true;
    draw();
  });

  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1)), own = clips.find(c => c.id === wanted.get('clip'));
    if (!own) return false;
    const t = Number(wanted.get('t'));
    stay();
    setPlaying(false, false);
    choose(own, wanted.has('t') && Number.isFinite(t) ? t : undefined);
    root.scrollIntoView({ block: 'start' });
    return true;
  };
  addEventListener('hashchange', follow);
  const redraw = () => { if (clip) draw(); };
  addEventListener('resize', redraw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  const open = () => {
    root.hidden = false;
    if (follow()) return;
    choose(clip);
    if (clip.hasDetector) begin();
  };
  if (clip) open();

  return {
    make, addFilters,
    // Shows another clip; the same clip with other findings stays at its time.
    show(own, t) {
      decode(own);
      const isSame = clip && clip.id === own.id;
      clips = [own];
      root.hidden = false;
      if (isSame) {
        clip = own;
        seek(t === undefined ? time : t, t !== undefined);
      } else {
        setPlaying(false);
        choose(own, t);
      }
    },
    // A clip's skeleton at a time, in a canvas of its own.
    sketch(canvas, own, t) {
      const [pen, width] = surface(canvas, canvas.clientHeight), height = canvas.clientHeight;
      const size = Math.min((width - 8) / own.box[0], (height - 8) / own.box[1]), frame = momentAt(t, own);
      [pen.strokeStyle, pen.lineWidth, pen.lineCap] = [color('quiet'), 2, 'round'];
      const spot = joint => {
        const found = place(frame, joint, own);
        return found && [width / 2 + (found[0] - own.box[0] / 2) * size, height / 2 + (found[1] - own.box[1] / 2) * size];
      };
      pen.beginPath();
      traceHead(pen, spot, own);
      for (const bone of bodyBones(own)) {
        const ends = bone.map(spot);
        if (!ends[0] || !ends[1]) continue;
        pen.moveTo(...ends[0]);
        pen.lineTo(...ends[1]);
      }
      pen.stroke();
    },
    get clips() { return clips; },
    get clip() { return clip; },
    get time() { return time; },
    set fixer(ask) { fixer = ask; },
    seek, draw,
  };
})();
