'use strict';
// The page of bench view --label: a rater marks reps, events, intervals, faults and grades, or settles what two raters marked.
(() => {
  const facts = JSON.parse(document.getElementById('label-facts').textContent), labelling = facts.labelling;
  const get = id => document.getElementById(id), make = player.make;
  const root = get('player'), list = document.querySelector('#clips ol'), timeline = get('timeline');
  const play = root.querySelector('[data-part=play]'), speed = root.querySelector('[data-part=speed]');
  const isAdjudicating = (labelling.raters?.length ?? 0) >= 2;

  const rounded = time => Math.round(time * 1000) / 1000;
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  // Words with `keys`.
  const fillSentence = (parent, words) =>
    parent.replaceChildren(...words.split('`').map((part, index) => index % 2 ? make('kbd', part) : part));
  const say = words => { get('saved').textContent = words; };
  const trouble = error => { get('trouble').textContent = error ? error.message : ''; };
  const ask = async (path, body) => {
    const answer = await fetch(path, body && {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    }).catch(() => { throw new Error('No connection: bench view has ended. Start it again.'); });
    const words = await answer.text();
    if (!answer.ok) throw Object.assign(new Error(words), { status: answer.status });
    return JSON.parse(words);
  };

  // Labels of clips by their ids: as the page shows them, and as the file has them.
  const empty = () => ({
    reps: [], events: [], intervals: [], faults: {}, grades: {}, noReps: false, isUnsure: false, isDone: false, comment: '',
  });
  const sorted = (_, value) => value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)) : value;
  const text = value => JSON.stringify(value ?? null, sorted);
  const isSame = (a, b) => text({ ...empty(), ...a, draft: undefined }) === text({ ...empty(), ...b, draft: undefined });
  const shownLabels = new Map(), savedLabels = new Map(), unsaved = new Set();
  let current = -1, isLoading = false;
  const idOf = index => facts.clips[index].id;
  const indexOf = id => facts.clips.findIndex(clip => clip.id === id);
  const isReady = () => !isLoading && current >= 0 && player.clip?.id === idOf(current);
  const labelsOf = id => shownLabels.get(id) ?? (isAdjudicating ? agreed(id) : empty());
  const own = () => labelsOf(idOf(current));
  // What the labels say of the clip, without the rater's remarks.
  const content = labels => text({ ...empty(), ...labels, draft: undefined, isDone: false, isUnsure: false, comment: '' });

  // Undo and redo outlive a reload. A decision belongs to a difference between two raters. What a clip's labels said when
  // the rater first saw the detector tells later whether they were changed.
  const storage = `labels of ${labelling.rater} in ${labelling.file}`;
  const session = { undone: [], redone: [], decided: {}, blind: {}, ...JSON.parse(sessionStorage.getItem(storage)) };
  const remember = () => {
    session.undone = session.undone.slice(-100);
    try {
      sessionStorage.setItem(storage, JSON.stringify(session));
    } catch {
      // The storage is full: the oldest changes can no longer be undone.
      [session.undone, session.redone] = [session.undone.slice(-10), []];
      sessionStorage.setItem(storage, JSON.stringify(session));
    }
  };
  const forget = id => {
    for (const side of ['undone', 'redone']) session[side] = session[side].filter(change => change.clip !== id);
    remember();
  };

  const save = async () => {
    if (save.isBusy) return;
    save.isBusy = true;
    for (const id of unsaved) {
      unsaved.delete(id);
      const [before, after] = [savedLabels.get(id) ?? null, shownLabels.get(id) ?? null];
      if (text(before) === text(after)) continue;
      try {
        await ask('labels', { clip: id, before, after });
        savedLabels.set(id, after);
        trouble(null);
      } catch (error) {
        await refused(id, error);
      }
    }
    save.isBusy = false;
  };
  const refused = async (id, error) => {
    if (error.status === 409) {
      unsaved.clear();
      await load().catch(() => {});
      error.message += ' The page now shows the labels of the file: your last change was not saved.';
    } else {
      shownLabels.set(id, savedLabels.get(id) ?? null);
    }
    unsaved.delete(id);
    delete session.decided[id];
    forget(id);
    trouble(error);
    say('');
    selected = null;
    refresh();
  };
  const load = async () => {
    const all = await ask('labels');
    shownLabels.clear();
    savedLabels.clear();
    for (const [id, labels] of Object.entries(all)) {
      savedLabels.set(id, labels);
      shownLabels.set(id, { ...empty(), ...labels });
    }
  };
  const put = (id, labels) => {
    const isEmpty = labels && !labels.draft && isSame(labels, empty()) && !isAdjudicating;
    shownLabels.set(id, isEmpty ? null : labels);
    unsaved.add(id);
    save();
    refresh();
  };

  // The labels of a rater who has seen the detector are a draft from it, unless they say the same as before.
  const withDraft = (id, labels) => {
    const blind = session.blind[id];
    if (blind === undefined) return labels;
    const { draft, ...rest } = labels ?? (isAdjudicating ? agreed(id) : empty());
    return content(rest) === blind ? labels && rest : { ...rest, draft: draft ?? labelling.detector };
  };
  // Changes the clip's labels. Steps of the same merge are undone together; an edit may return its mark, to select it.
  const change = (edit, { merge, decides } = {}) => {
    const clip = idOf(current), before = shownLabels.get(clip) ?? null, edited = structuredClone(own());
    const mark = edit(edited);
    for (const kind of Object.keys(nouns)) edited[kind].sort((a, b) => startOf(a) - startOf(b));
    const after = withDraft(clip, edited);
    const last = session.undone.at(-1);
    if (merge && last?.clip === clip && last.merge === merge) last.after = after;
    else session.undone.push({ clip, before, after, merge, decides });
    session.redone = [];
    if (decides) decidedOf(clip).push(decides);
    remember();
    if (mark) select(after, mark.kind, mark.mark, mark.edge);
    put(clip, after);
  };
  const travel = (from, to, target, key) => {
    const last = session[from].at(-1), name = key === 'u' ? 'undo' : 'redo';
    if (!last) { say(`Nothing to ${name}.`); return; }
    if (last.clip !== idOf(current)) {
      choose(indexOf(last.clip));
      say(`The last change is in this clip: press ${key} again to ${name} it.`);
      return;
    }
    const labels = shownLabels.get(last.clip);
    if (!isSame(labels, target === 'before' ? last.after : last.before)) {
      forget(last.clip);
      say(`Nothing to ${name}: the labels of this clip were changed elsewhere.`);
      return;
    }
    session[from].pop();
    session[to].push(last);
    if (last.decides) {
      session.decided[last.clip] = decidedOf(last.clip).filter(key => key !== last.decides);
      if (target === 'after') decidedOf(last.clip).push(last.decides);
      chosenDifference = differencesOf(last.clip).find(one => one.key === last.decides) ?? null;
    }
    remember();
    selected = null;
    // A rater who has seen the draft cannot undo that.
    const isDraft = labels?.draft && !isAdjudicating && session.blind[last.clip] === undefined;
    put(last.clip, isDraft ? { ...empty(), ...last[target], draft: labels.draft } : withDraft(last.clip, last[target]));
    say(name === 'undo' ? 'Undone. Press r to redo it.' : 'Redone.');
  };

  // Marks and their edges.
  const startOf = mark => mark.start ?? mark.time;
  const endOf = mark => mark.end ?? mark.time;
  const edgesOf = { reps: ['start', 'turn', 'end'], events: ['time'], intervals: ['start', 'end'] };
  const nouns = { reps: 'rep', events: 'event', intervals: 'interval' };
  const edges = labels => Object.entries(edgesOf).flatMap(([kind, names]) => labels[kind].flatMap((mark, index) =>
    names.filter(edge => mark[edge] !== undefined).map(edge => ({ kind, index, edge, time: mark[edge] }))));
  let open = null, openInterval = null, selected = null;
  const select = (labels, kind, mark, edge) => { selected = { kind, index: labels[kind].indexOf(mark), edge }; };
  const repAt = (labels, time) => labels.reps.findLast(rep => rep.start <= time && time <= rep.end);
  const now = () => rounded(player.time);
  const span = mark => mark.time !== undefined ? mark.time.toFixed(2) + ' s' : `${mark.start.toFixed(2)}–${mark.end.toFixed(2)} s`;

  // Where an edge can go without passing its own other edges or a neighbouring rep.
  const limits = (labels, { kind, index, edge }) => {
    const { times } = player.clip, mark = labels[kind][index], gap = 0.01;
    let [low, high] = [times[0], times.at(-1)];
    if (edge === 'start') high = (mark.turn ?? mark.end) - gap;
    if (edge === 'turn') [low, high] = [mark.start + gap, mark.end - gap];
    if (edge === 'end') low = (mark.turn ?? mark.start) + gap;
    if (kind === 'reps' && edge === 'start' && index > 0) low = labels.reps[index - 1].end;
    if (kind === 'reps' && edge === 'end' && index + 1 < labels.reps.length) high = labels.reps[index + 1].start;
    return [low, high];
  };
  const moveEdge = (edge, time, merge) => {
    const [low, high] = limits(own(), edge), to = rounded(Math.min(high, Math.max(low, time)));
    if (to !== edge.time) {
      change(labels => {
        const mark = labels[edge.kind][edge.index];
        mark[edge.edge] = to;
        return { kind: edge.kind, mark, edge: edge.edge };
      }, { merge });
    }
    player.seek(to);
    return to;
  };
  const frameAt = time => Math.max(0, player.clip.times.findLastIndex(own => own <= time + 1e-6));
  const frameFrom = (time, direction) => {
    const { times } = player.clip, next = direction > 0
      ? times.find(own => own > time + 0.002) : times.findLast(own => own < time - 0.002);
    return next ?? (direction > 0 ? times.at(-1) : times[0]);
  };
  const pause = () => { if (play.textContent === 'Pause') play.click(); };
  const nudge = direction => {
    const edge = selected && edges(own()).find(one => isEdge(one, selected));
    if (!edge) { say('Select an edge first: [ or ].'); return; }
    pause();
    const to = moveEdge(edge, frameFrom(edge.time, direction), `${edge.kind} ${edge.index} ${edge.edge}`);
    say(to === edge.time ? `This ${edge.edge} can go no further.` : `${nameOf(edge)}: ${to.toFixed(2)} s.`);
  };
  const nameOf = ({ kind, index, edge }) => `${edge} of ${nouns[kind]} ${index + 1}`;
  const isEdge = (a, b) => a.kind === b.kind && a.index === b.index && a.edge === b.edge;
  const nextEdge = direction => {
    const all = edges(own()).sort((a, b) => a.time - b.time), at = selected ? all.findIndex(one => isEdge(one, selected)) : -1;
    const edge = at >= 0 ? all[at + direction] : direction > 0
      ? all.find(one => one.time >= player.time) ?? all.at(-1) : all.findLast(one => one.time <= player.time) ?? all[0];
    if (!edge) { say(all.length ? 'This is the last edge.' : 'Nothing is marked yet.'); return; }
    pause();
    selected = edge;
    player.seek(edge.time);
    say(`Selected: ${nameOf(edge)}. Move it with , and . or the mouse.`);
  };
  const nextMark = direction => {
    const labels = own(), starts = [...labels.reps, ...labels.intervals, ...labels.events].map(startOf).sort((a, b) => a - b);
    const found = direction > 0 ? starts.find(time => time > player.time + 0.002) : starts.findLast(time => time < player.time - 0.002);
    if (found === undefined) say(direction > 0 ? 'No mark follows.' : 'No mark before this.'); else player.seek(found);
  };

  const startRep = () => {
    const time = now();
    if (open) {
      if (!endRep()) return;
    } else if (own().reps.some(rep => rep.start <= time && time < rep.end)) {
      say('A rep is marked here. Move its edges with [ ] , . or remove it with x.');
      return;
    }
    open = { start: time, faults: {}, grades: {} };
    say(`Start at ${time.toFixed(2)} s. Press e at the end.`);
    refresh();
  };
  const turnRep = () => {
    const time = now();
    if (open) {
      if (time <= open.start) { say('The turn must come after the start.'); return; }
      open.turn = time;
      say(`Turn at ${time.toFixed(2)} s. Press e at the end.`);
      refresh();
      return;
    }
    const rep = repAt(own(), time);
    if (!rep || time <= rep.start || time >= rep.end) { say('Mark the start first: s.'); return; }
    change(labels => {
      const mark = repAt(labels, time);
      mark.turn = time;
      return { kind: 'reps', mark, edge: 'turn' };
    });
    say(`Turn at ${time.toFixed(2)} s.`);
  };
  const endRep = () => {
    const end = now();
    if (!open) { say('Mark the start first: s.'); return false; }
    const last = open.turn === undefined ? 'start' : 'turn', isOverlapping = own().reps.some(rep => rep.start < end && open.start < rep.end);
    if (end <= open[last] || isOverlapping) {
      say(isOverlapping ? 'This rep would overlap another one.' : `The end must come after the ${last}.`);
      return false;
    }
    const { start, turn, faults, grades } = open, mark = { start, end, faults, grades };
    if (turn !== undefined) mark.turn = turn;
    open = null;
    change(labels => {
      labels.reps.push(mark);
      labels.noReps = false;
      return { kind: 'reps', mark, edge: 'end' };
    });
    say(`Rep ${selected.index + 1}: ${span(mark)}.`);
    return true;
  };
  const markEvent = async () => {
    const time = now(), label = get('event-label').value || await addLabel(get('event-label'));
    if (!label) return;
    const mark = { time, label };
    change(labels => {
      labels.events.push(mark);
      return { kind: 'events', mark, edge: 'time' };
    });
    say(`${mark.label} at ${span(mark)}.`);
  };
  const markInterval = () => {
    const time = now();
    if (openInterval === null) {
      openInterval = time;
      say(`Interval from ${time.toFixed(2)} s. Press i at its end.`);
      refresh();
      return;
    }
    const [start, end] = [openInterval, time].sort((a, b) => a - b), mark = { start, end, label: get('interval-label').value };
    if (start === end) { say('The end must come after the start.'); return; }
    openInterval = null;
    change(labels => {
      labels.intervals.push(mark);
      return { kind: 'intervals', mark, edge: 'end' };
    });
    say(`${mark.label}: ${span(mark)}.`);
  };
  // The mark at the playhead: the selected one, a rep, an event or an interval.
  const markHere = labels => {
    const isHere = mark => startOf(mark) - 0.02 <= player.time && player.time <= endOf(mark) + 0.02;
    const all = Object.keys(nouns).flatMap(kind => labels[kind].map((mark, index) => ({ kind, index, mark })));
    const here = all.filter(one => isHere(one.mark));
    return here.find(one => selected?.kind === one.kind && selected.index === one.index) ?? here[0];
  };
  const remove = () => {
    const here = markHere(own());
    if (!here) { say('Nothing is marked here.'); return; }
    selected = null;
    change(labels => { labels[here.kind].splice(here.index, 1); });
    say(`Removed the ${nouns[here.kind]} ${span(here.mark)}. u brings it back.`);
  };
  const undo = () => {
    if (open || openInterval !== null) {
      open = openInterval = null;
      say('Start removed.');
      refresh();
    } else {
      travel('undone', 'redone', 'before', 'u');
    }
  };

  // Faults and grades of the rep at the playhead, or of the clip.
  const faults = [...labelling.faults];
  let isFaultAsked = false, criterion = 0;
  const judged = labels => (labels === own() && open) || repAt(labels, player.time) || labels;
  const judge = edit => {
    if (open) {
      edit(open);
      refresh();
    } else {
      change(labels => { edit(repAt(labels, player.time) ?? labels); });
    }
  };
  const scope = () => {
    if (open) return `Rep from ${open.start.toFixed(2)} s`;
    const labels = own(), rep = repAt(labels, player.time);
    return rep ? `Rep ${labels.reps.indexOf(rep) + 1}, ${span(rep)}` : 'Whole clip: no rep at the playhead';
  };
  const toggleFault = name => {
    const where = scope();
    let state;
    judge(one => {
      state = { undefined: true, true: false }[one.faults[name]];
      if (state === undefined) delete one.faults[name]; else one.faults[name] = state;
    });
    say(`${where}: ${name} ${state === undefined ? 'not judged' : state ? 'seen' : 'not there'}.`);
  };
  const askFault = () => {
    isFaultAsked = true;
    say(faults.length ? 'Which fault? Press its number.' : 'This dataset has no faults yet: add one.');
    refresh();
  };
  const grade = step => {
    const own = labelling.criteria[criterion];
    if (!own) { say('This dataset has no criteria to grade.'); return; }
    const value = rounded(own.minimum + (own.maximum - own.minimum) * (step - 1) / 9), where = scope();
    judge(one => { if (one.grades[own.name] === value) delete one.grades[own.name]; else one.grades[own.name] = value; });
    say(`${where}: ${own.name} ${value}. The same key again removes it.`);
  };
  const digit = key => {
    if (!isFaultAsked) { grade(key === '0' ? 10 : Number(key)); return; }
    isFaultAsked = false;
    const name = faults[key - 1];
    if (name === undefined) say(`There is no fault ${key}.`); else toggleFault(name);
    refresh();
  };
  const addFaultButton = name => {
    const button = make('button');
    button.type = 'button';
    if (faults.indexOf(name) < 9) make('kbd', faults.indexOf(name) + 1, button);
    make('span', ` ${name}`, button);
    button.addEventListener('click', () => toggleFault(name));
    get('add-fault').before(button);
  };
  const addFault = name => {
    if (faults.includes(name)) return;
    faults.push(name);
    addFaultButton(name);
  };
  const nameFault = async () => {
    const name = await naming('Add a fault');
    if (!name) return;
    addFault(name);
    if (judged(own()).faults[name] !== true) toggleFault(name);
  };
  const naming = question => new Promise(resolve => {
    get('naming-title').textContent = question;
    get('naming-text').value = '';
    get('naming').returnValue = '';
    get('naming').addEventListener('close', () => {
      resolve(get('naming').returnValue === 'add' ? get('naming-text').value.trim() : '');
      toPlayer();
    }, { once: true });
    get('naming').showModal();
  });
  const addGrades = () => {
    get('grades').hidden = !labelling.criteria.length;
    labelling.criteria.forEach((own, index) => {
      const row = make('div', undefined, get('grades')), name = make('button', own.name, row), steps = make('div', undefined, row);
      row.className = 'grade';
      name.type = 'button';
      name.addEventListener('click', () => { criterion = index; refresh(); });
      steps.role = 'group';
      steps.setAttribute('aria-label', own.name);
      for (let step = 1; step <= 10; step++) {
        const button = make('button', step % 10, steps);
        button.type = 'button';
        button.setAttribute('aria-label', `${own.name}: step ${step} of 10`);
        button.addEventListener('click', () => { criterion = index; grade(step); });
      }
      make('output', '', row);
    });
  };
  const fillHere = () => {
    const one = judged(own());
    get('scope').textContent = scope();
    get('faults').classList.toggle('asked', isFaultAsked);
    [...get('faults').children].slice(0, -1).forEach((button, index) => {
      const state = one.faults[faults[index]];
      button.dataset.state = { true: 'yes', false: 'no' }[state] ?? '';
      button.setAttribute('aria-pressed', state === true);
      button.setAttribute('aria-label', faults[index] + ({ true: ': seen', false: ': not there' }[state] ?? ''));
    });
    get('grades').querySelectorAll('.grade').forEach((row, index) => {
      const { name, minimum, maximum } = labelling.criteria[index], value = one.grades[name];
      row.classList.toggle('active', index === criterion);
      row.querySelector('output').textContent = value === undefined ? '' : rounded(value);
      row.firstChild.setAttribute('aria-pressed', index === criterion);
      const step = value === undefined ? 0 : 1 + 9 * (value - minimum) / (maximum - minimum);
      row.querySelectorAll('div button').forEach((button, at) => button.setAttribute('aria-pressed', Math.abs(at + 1 - step) < 0.01));
    });
  };

  // The labels that events and intervals can have.
  const fillLabels = (select, names) => {
    for (const name of names) select.add(new Option(name));
    select.add(new Option('Add a label…', ''));
    let last = select.value;
    select.addEventListener('change', async () => {
      if (!select.value && !await addLabel(select)) select.value = last;
      last = select.value;
    });
  };
  const addLabel = async select => {
    const name = await naming('Add a label');
    if (!name) return '';
    if (![...select.options].some(option => option.value === name)) select.add(new Option(name), select.options.length - 1);
    select.value = name;
    return name;
  };
  const nextOption = select => {
    if (select.options.length < 2) return;
    select.selectedIndex = (select.selectedIndex + 1) % (select.options.length - 1);
    say(`Label: ${select.value}.`);
  };

  // The detector is hidden until the clip is done, and other people's labels always.
  const detectorKeys = ['found', 'cues', 'phases', 'faults', 'signals', 'reads'];
  const otherKeys = ['truth', 'labels', 'labelledFaults', 'model'];
  let detector = null;
  const hide = clip => {
    detector = { hasDetector: clip.hasDetector };
    for (const key of [...detectorKeys, ...otherKeys]) {
      detector[key] = clip[key];
      clip[key] = [];
    }
    clip.hasDetector = false;
  };
  const showDetector = () => {
    const { isDone, draft } = own(), isShown = isDone && get('detector').checked, id = idOf(current);
    if (isShown && detector.hasDetector && !draft && session.blind[id] === undefined) {
      session.blind[id] = content(own());
      remember();
    }
    get('detector').disabled = !isDone;
    get('detector').nextSibling.textContent = isDone ? ' Show the detector' : ' Show the detector once done';
    get('detector-lanes').hidden = !isShown;
    player.clip.hasDetector = isShown && detector.hasDetector;
    for (const key of detectorKeys) player.clip[key] = isShown ? detector[key] : [];
  };
  const draft = () => {
    if (!labelling.detector) { say('There is no detector to draft from.'); return; }
    const labels = own();
    if (open || labels.reps.length || labels.events.length) {
      say('This clip has marks already. Remove them first: a draft is for an empty clip.');
      return;
    }
    const found = detector.found;
    change(labels => {
      for (const { start, end, turn, name } of found) {
        if (name) {
          labels.events.push({ time: rounded(turn ?? start), label: name });
        } else {
          const rep = { start: rounded(start), end: rounded(end), faults: {}, grades: {} };
          if (turn > start && turn < end) rep.turn = rounded(turn);
          labels.reps.push(rep);
        }
      }
      if (found.length) labels.noReps = false;
      labels.draft = labelling.detector;
    });
    say(found.length ? `${count(found.length, 'mark')} drafted: correct them.` : 'The detector found nothing here.');
  };

  // Two raters: what they agree on, and each difference between them.
  const raters = new Map();
  const pairOf = (labelling.raters ?? []).slice(0, 2), differences = new Map(), agreements = new Map();
  let agreementWords = '', chosenDifference = null;
  const shared = (a, b) => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  const overlap = (a, b) => shared(a, b) / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
  const cover = (a, b) => shared(a, b) / Math.min(a.end - a.start, b.end - b.start);
  const likeness = {
    reps: overlap,
    intervals: (a, b) => a.label === b.label ? overlap(a, b) : 0,
    events: (a, b) => a.label === b.label && Math.abs(a.time - b.time) <= 0.25 ? 1 - Math.abs(a.time - b.time) : 0,
  };
  // Pairs of marks, the most alike first, each mark once; then the marks without a partner.
  const paired = (kind, a, b) => {
    const all = a.flatMap(one => b.map(other => ({ a: one, b: other, like: likeness[kind](one, other) })))
      .filter(pair => pair.like >= 0.5).sort((one, other) => other.like - one.like);
    const used = new Set(), pairs = [];
    for (const { a: one, b: other } of all) {
      if (used.has(one) || used.has(other)) continue;
      used.add(one).add(other);
      pairs.push({ a: one, b: other });
    }
    const rest = [...a.map(one => ({ a: one })), ...b.map(other => ({ b: other }))].filter(pair => !used.has(pair.a ?? pair.b));
    return { pairs: pairs.sort((one, other) => startOf(one.a) - startOf(other.a)), rest };
  };
  // The labels of the two raters, where they have finished.
  const sides = id => pairOf.map(rater => raters.get(rater)?.[id]).map(labels => labels?.isDone ? { ...empty(), ...labels } : undefined);
  const seen = faults => Object.keys(faults).filter(name => faults[name]).sort();
  const both = (a, b) => Object.fromEntries(Object.entries(a).filter(([name, value]) => b[name] === value));
  const middle = ({ a, b }) => {
    const mark = structuredClone(a);
    for (const edge of ['time', 'start', 'turn', 'end']) {
      if (a[edge] === undefined || b[edge] === undefined) delete mark[edge]; else mark[edge] = rounded((a[edge] + b[edge]) / 2);
    }
    if (a.faults) [mark.faults, mark.grades] = [both(a.faults, b.faults), both(a.grades, b.grades)];
    return mark;
  };
  const agreed = id => {
    if (agreements.has(id)) return agreements.get(id);
    const [a, b] = sides(id), labels = empty();
    if (a && b) {
      for (const kind of Object.keys(likeness)) labels[kind] = paired(kind, a[kind], b[kind]).pairs.map(middle);
      const draft = a.draft ?? b.draft;
      if (draft) labels.draft = draft;
      [labels.faults, labels.grades, labels.noReps] = [both(a.faults, b.faults), both(a.grades, b.grades), a.noReps && b.noReps];
    }
    agreements.set(id, labels);
    return labels;
  };
  // Neighbours give way to a rep, and keep their longer part; one that would keep less than half is removed. Returns words.
  const yieldTo = (mark, labels) => {
    const words = [];
    for (const other of labels.reps.filter(rep => rep !== mark && shared(rep, mark) > 0)) {
      const was = span(other);
      if (shared(other, mark) > (other.end - other.start) / 2) {
        labels.reps.splice(labels.reps.indexOf(other), 1);
        words.push(`The rep ${was} overlapped it and is removed.`);
        continue;
      }
      if (mark.start - other.start >= other.end - mark.end) other.end = mark.start; else other.start = mark.end;
      if (other.turn <= other.start || other.turn >= other.end) delete other.turn;
      words.push(`The rep ${was} overlapped it and is now ${span(other)}.`);
    }
    return words;
  };
  const alike = (labels, kind, mark) => labels[kind].filter(one => likeness[kind](one, mark) >= 0.5);
  const differencesOf = id => {
    if (!differences.has(id)) differences.set(id, compare(id));
    return differences.get(id);
  };
  // `take` changes labels to a side's and returns the mark that it took.
  const difference = (at, what, words, take) => ({ key: `${what} ${at.toFixed(3)}`, at, words, take });
  const told = (a, b) => `${pairOf[0]} ${a}; ${pairOf[1]} ${b}`;
  const judgementDifferences = (at, where, pair, ownOf) => {
    const found = [], names = [pair.a, pair.b].map(one => seen(one.faults).join(', ') || 'none');
    if (names[0] !== names[1]) {
      found.push(difference(at, `faults of ${where}`, `${where}, faults: ${told(...names)}`, (labels, side) => {
        const mark = ownOf(labels, side);
        mark.faults = structuredClone(pair[side].faults);
        return mark;
      }));
    }
    for (const name of new Set([...Object.keys(pair.a.grades), ...Object.keys(pair.b.grades)])) {
      const [a, b] = [pair.a.grades[name], pair.b.grades[name]];
      if (a === b) continue;
      found.push(difference(at, `${name} of ${where}`, `${where}, ${name}: ${told(a ?? 'none', b ?? 'none')}`, (labels, side) => {
        const mark = ownOf(labels, side), value = pair[side].grades[name];
        if (value === undefined) delete mark.grades[name]; else mark.grades[name] = value;
        return mark;
      }));
    }
    return found;
  };
  const pairDifferences = (kind, pair) => {
    const start = startOf(pair.a), [a, b] = [endOf(pair.a), endOf(pair.b)], found = [];
    const where = `${kind === 'reps' ? 'Rep' : pair.a.label} at ${start.toFixed(2)} s`;
    const ownOf = (labels, side) => {
      const near = alike(labels, kind, pair.a)[0] ?? alike(labels, kind, pair.b)[0];
      if (!near) labels[kind].push(structuredClone(pair[side]));
      return near ?? labels[kind].at(-1);
    };
    if (Math.abs(a - b) > 0.25) {
      found.push(difference(a, `end of ${kind}`, `${where}, end: ${told(a.toFixed(2) + ' s', b.toFixed(2) + ' s')}`, (labels, side) => {
        const mark = ownOf(labels, side);
        for (const edge of edgesOf[kind]) {
          if (pair[side][edge] === undefined) delete mark[edge]; else mark[edge] = pair[side][edge];
        }
        return mark;
      }));
    }
    return kind === 'reps' ? [...found, ...judgementDifferences(start, where, pair, ownOf)] : found;
  };
  const loneDifference = (kind, pair) => {
    const mark = pair.a ?? pair.b, rater = pairOf[pair.a ? 0 : 1], name = kind === 'reps' ? 'Rep' : mark.label;
    return difference(startOf(mark), `${kind} of ${rater}`, `${name} ${span(mark)}: only ${rater}`, (labels, side) => {
      const copy = pair[side] && structuredClone(mark);
      const rivals = copy && kind === 'reps' ? labels.reps.filter(rep => cover(rep, mark) > 0.5) : alike(labels, kind, mark);
      labels[kind] = labels[kind].filter(one => !rivals.includes(one));
      if (copy) labels[kind].push(copy);
      return copy;
    });
  };
  const compare = id => {
    const [a, b] = sides(id);
    if (!a && !b) return [];
    if (!a || !b) {
      const labelled = { a, b }, rater = pairOf[a ? 0 : 1];
      return [difference(0, `clip of ${rater}`, `Only ${rater} has labelled this clip`, (labels, side) => {
        Object.assign(labels, structuredClone(labelled[side] ?? empty()), { isDone: false });
      })];
    }
    const found = Object.keys(likeness).flatMap(kind => {
      const { pairs, rest } = paired(kind, a[kind], b[kind]);
      return [...pairs.flatMap(pair => pairDifferences(kind, pair)), ...rest.map(pair => loneDifference(kind, pair))];
    });
    return [...found, ...judgementDifferences(0, 'Whole clip', { a, b }, labels => labels)].sort((one, other) => one.at - other.at);
  };
  const decidedOf = id => session.decided[id] ??= [];
  const openDifferences = id => labelsOf(id).isDone ? [] : differencesOf(id).filter(one => !decidedOf(id).includes(one.key));
  const agreement = () => {
    const ids = facts.clips.map(clip => clip.id).filter(id => sides(id).every(Boolean));
    const all = ids.map(id => paired('reps', ...sides(id).map(labels => labels.reps)));
    const apart = all.flatMap(one => one.pairs.map(({ a, b }) => Math.abs(a.end - b.end))).sort((a, b) => a - b);
    if (!ids.length) return `${pairOf.join(' and ')} have no clip in common.`;
    const reps = apart.length + all.reduce((sum, one) => sum + one.rest.length, 0);
    const half = apart.length >> 1, median = apart.length % 2 ? apart[half] : (apart[half - 1] + apart[half]) / 2;
    const ends = apart.length ? `; ends ${median.toFixed(2)} s apart (median)` : '';
    return `${pairOf.join(' and ')}: ${apart.length} of ${reps} reps matched${ends}.`;
  };
  const chooseDifference = (one, isSought = true) => {
    chosenDifference = one ?? null;
    if (one && isSought) player.seek(one.at);
    refresh();
  };
  const nextDifference = direction => {
    const all = differencesOf(idOf(current)), at = all.indexOf(chosenDifference);
    const next = all[at < 0 ? 0 : at + direction];
    if (next) chooseDifference(next); else say('There is no further difference in this clip.');
  };
  const decide = side => {
    const one = chosenDifference, id = idOf(current);
    if (!one) { say('Choose a difference first: n.'); return; }
    let yielded = [];
    change(labels => {
      if (!side) return;
      const mark = one.take(labels, side);
      if (labels.reps.includes(mark)) yielded = yieldTo(mark, labels);
      labels.noReps = !labels.reps.length && Boolean(sides(id)[side === 'a' ? 0 : 1]?.noReps);
    }, { decides: one.key });
    const left = openDifferences(id);
    chooseDifference(left.find(other => other.at >= one.at) ?? left[0] ?? one);
    const finding = `${side ? `Took ${pairOf[side === 'a' ? 0 : 1]}'s label` : 'Kept your own label'}: ${one.words}.`;
    say([finding, ...yielded, ...(yielded.length ? ['Press u to undo.'] : [])].join(' '));
  };
  const stateWords = id => {
    const all = differencesOf(id), left = openDifferences(id);
    if (!sides(id).some(Boolean)) return 'Neither rater has labelled this clip.';
    if (!all.length) return 'The raters agree. Press Enter to go on.';
    if (!left.length) return `All ${all.length} decided. Press Enter to go on.`;
    return `${left.length} of ${all.length} open. Choose with n and p, or correct the marks by hand and keep yours with m.`;
  };
  const remarks = id => sides(id).flatMap((labels, side) => {
    if (!labels) return [];
    const { isUnsure, draft, comment } = labels;
    const words = [isUnsure && 'unsure', draft && `draft from ${draft}`, comment && `“${comment}”`].filter(Boolean);
    return words.length ? [`${pairOf[side]}: ${words.join(', ')}.`] : [];
  });
  const fillDifferences = () => {
    const id = idOf(current), all = differencesOf(id), left = openDifferences(id), rows = get('differences').querySelector('ol');
    get('differences').querySelector('p').textContent = [stateWords(id), ...remarks(id)].join(' ');
    rows.replaceChildren(...all.map(one => {
      const row = document.createElement('li'), name = make('button', one.words, row);
      name.addEventListener('click', event => {
        chooseDifference(one);
        if (!event.detail) rows.querySelector('[aria-current] button').focus();
      });
      for (const [key, words] of [['a', `Take ${pairOf[0]} `], ['b', `Take ${pairOf[1]} `], ['m', 'Keep mine ']]) {
        const button = make('button', words, row);
        make('kbd', key, button);
        button.addEventListener('click', event => {
          chooseDifference(one, false);
          actions.get(key)();
          // The rows are new: the focus of the keyboard goes to the next difference.
          if (!event.detail) rows.querySelector('[aria-current] button')?.focus();
        });
      }
      for (const button of row.children) button.type = 'button';
      row.classList.toggle('decided', !left.includes(one));
      if (one === chosenDifference) row.setAttribute('aria-current', 'true');
      return row;
    }));
    const row = rows.querySelector('[aria-current]');
    if (row) rows.scrollTop = row.offsetTop - rows.offsetTop - 40;
  };

  // The list of clips in the order of work, as one stop of the tabulator.
  const notDone = document.createElement('input');
  let matches = () => true, order = [], reasons = new Map();
  const setOrder = () => {
    const next = isAdjudicating ? [] : labelling.next ?? [];
    reasons = new Map(next.map(({ clip, why }) => [clip, why]));
    const all = facts.clips.map((_, index) => index);
    order = isAdjudicating
      ? all.sort((a, b) => differencesOf(idOf(b)).length - differencesOf(idOf(a)).length || a - b)
      : [...new Set([...next.map(one => one.clip), ...all])];
  };
  const addFilters = () => {
    matches = player.addFilters(['exercise', 'view', 'subject'], facts.clips, fill);
    const label = make('label', undefined, document.querySelector('.filters'));
    notDone.type = 'checkbox';
    notDone.id = 'not-done';
    label.append(notDone, ' Only not done');
    notDone.addEventListener('change', fill);
  };
  const isShown = index => matches(facts.clips[index]) && !(notDone.checked && labelsOf(idOf(index)).isDone);
  const stateOf = index => {
    const id = idOf(index), labels = shownLabels.get(id), parts = [];
    if (isAdjudicating && !labels?.isDone) {
      const left = openDifferences(id).length, every = differencesOf(id).length, [a, b] = sides(id);
      if (!a && !b) return 'not labelled';
      if (left < every) return left ? `${left} of ${every} open` : 'decided';
      if (!a || !b) return `only ${pairOf[a ? 0 : 1]}`;
      return every ? count(every, 'difference') : 'agree';
    }
    if (!labels) return '';
    if (labels.isUnsure) parts.push('unsure');
    if (labels.draft) parts.push('draft');
    if (labels.noReps) parts.push('no reps'); else if (labels.reps.length) parts.push(count(labels.reps.length, 'rep'));
    return (labels.isDone ? '✓ ' : '') + parts.join(', ');
  };
  const rowOf = index => list.querySelector(`[data-clip="${index}"]`);
  const fillRow = index => {
    const button = rowOf(index);
    if (!button) return;
    button.querySelector('.state').textContent = stateOf(index);
    button.classList.toggle('done', labelsOf(idOf(index)).isDone);
  };
  const fill = () => {
    const rows = order.filter(isShown);
    list.replaceChildren(...rows.map(index => {
      const clip = facts.clips[index], row = document.createElement('li'), button = make('button', undefined, row);
      button.type = 'button';
      button.dataset.clip = index;
      make('span', undefined, button).className = 'state';
      make('span', clip.name, button);
      make('small', [clip.subject, clip.exercise, clip.view].filter(Boolean).join(', '), button);
      if (reasons.has(index)) make('small', reasons.get(index), button).className = 'why';
      button.addEventListener('click', () => choose(index));
      return row;
    }));
    for (const index of rows) fillRow(index);
    setCurrent();
    get('shown').textContent = `${rows.length} of ${count(facts.clips.length, 'clip')}`;
  };
  const setCurrent = () => {
    for (const button of list.querySelectorAll('button')) {
      const isCurrent = Number(button.dataset.clip) === current;
      if (isCurrent) button.setAttribute('aria-current', 'true'); else button.removeAttribute('aria-current');
      button.tabIndex = isCurrent ? 0 : -1;
    }
    if (!rowOf(current) && list.firstChild) list.querySelector('button').tabIndex = 0;
    rowOf(current)?.scrollIntoView({ block: 'nearest' });
  };
  const moveInList = key => {
    const buttons = [...list.querySelectorAll('button')], at = buttons.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key];
    if (at < 0 || next === undefined) return false;
    const button = buttons[Math.min(buttons.length - 1, Math.max(0, next))];
    for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    button.focus();
    return true;
  };

  const toPlayer = () => root.focus({ preventScroll: true });
  // The first frame with a person.
  const opening = clip => {
    const seen = clip.values.findIndex(value => value !== 65535);
    return clip.times[clip.video || seen < 0 ? 0 : Math.floor(seen / (2 * clip.joints.length))];
  };
  let wantedTime;
  const held = [];
  const choose = async index => {
    if (open || openInterval !== null) { say(`Mark the end first (${open ? 'e' : 'i'}), or remove the start with u.`); return; }
    const hadFocus = list.contains(document.activeElement);
    if (document.activeElement === get('comment')) saveComment();
    pause();
    current = index;
    isLoading = true;
    selected = null;
    isFaultAsked = false;
    setCurrent();
    say('');
    try {
      const clip = await ask('clip?clip=' + index);
      if (index !== current) return;
      if (!clip) throw new Error(facts.clips[index].name + ' has no frames. Press j for the next clip.');
      isLoading = false;
      if (get('trouble').textContent && !save.isBusy) trouble(null);
      hide(clip);
      view = { from: clip.times[0], to: clip.times.at(-1) };
      chosenDifference = isAdjudicating ? openDifferences(clip.id)[0] ?? null : null;
      const time = wantedTime ?? chosenDifference?.at;
      player.show(clip, time ?? clip.times[0]);
      if (time === undefined) player.seek(opening(clip));
      wantedTime = undefined;
      if (hadFocus) toPlayer();
      refresh();
    } catch (error) {
      if (index !== current) return;
      isLoading = false;
      root.hidden = true;
      trouble(error);
    }
    while (held.length && !isLoading) held.shift()();
  };
  const move = direction => {
    const rows = order.filter(isShown), at = rows.indexOf(current);
    const next = at < 0 ? rows[0] : rows[at + direction];
    if (next !== undefined) choose(next);
  };
  const isUntouched = labels => !labels.isUnsure && isSame({ ...labels, comment: '', isDone: false }, empty());
  const mayFinish = () => {
    const left = isAdjudicating ? openDifferences(idOf(current)) : [];
    if (open || openInterval !== null) {
      say(`Mark the end first (${open ? 'e' : 'i'}), or remove the start with u.`);
      return false;
    }
    if (left.length) {
      chooseDifference(left[0]);
      say(`${count(left.length, 'difference')} still open: take one with a or b, or keep yours with m.`);
      return false;
    }
    if (isUntouched(own()) && !(isAdjudicating && sides(idOf(current)).some(Boolean))) {
      say('Nothing is marked. Press z if the clip has no reps, or q if you are unsure.');
      return false;
    }
    return true;
  };
  const finish = () => {
    if (!isReady()) { move(1); return; }
    if (!own().isDone) {
      if (!mayFinish()) return;
      change(labels => { labels.isDone = true; });
    }
    if (notDone.checked) fill();
    const at = order.indexOf(current), isOpen = index => isShown(index) && !labelsOf(idOf(index)).isDone;
    const next = [...order.slice(at + 1), ...order.slice(0, at)].find(isOpen);
    if (next === undefined) say('All clips in the list are done.'); else choose(next);
  };
  const setFlag = (name, value) => {
    const labels = own();
    if (name === 'noReps' && value && (labels.reps.length || open)) { say('Remove the reps first: x.'); refresh(); return; }
    if (name === 'isDone' && value && !mayFinish()) { refresh(); return; }
    if (labels[name] !== value) change(labels => { labels[name] = value; });
  };
  const saveComment = () => {
    const value = get('comment').value.trim();
    if (isReady() && value !== own().comment) change(labels => { labels.comment = value; });
  };

  // The time axis.
  const colors = ['ink', 'quiet', 'ground', 'card', 'line', 'good', 'bad', 'unsure', 'link'];
  let view = { from: 0, to: 1 }, palette = {}, dragged = null;
  const axis = 22, left = () => timeline.clientWidth < 500 ? 62 : 84;
  const lanes = () => {
    const labels = dragged?.labels ?? own(), all = [{ name: 'reps', kinds: ['reps'], labels, height: 34, isOwn: true }];
    if (labels.events.length || labelling.events.length) all.push({ name: 'events', kinds: ['events'], labels, height: 24, isOwn: true });
    all.push({ name: 'intervals', kinds: ['intervals'], labels, height: 24, isOwn: true });
    for (const [rater, every] of raters) {
      const theirs = { ...empty(), ...every[player.clip.id] };
      all.push({ name: rater, kinds: ['intervals', 'reps', 'events'], labels: theirs, height: 30, isOwn: false });
    }
    let top = axis;
    for (const lane of all) {
      lane.top = top;
      top += lane.height;
    }
    return all;
  };
  const xOf = time => left() + (timeline.clientWidth - left() - 8) * (time - view.from) / Math.max(1e-6, view.to - view.from);
  const timeOf = x => view.from + (x - left()) / (timeline.clientWidth - left() - 8) * (view.to - view.from);
  const surface = height => {
    const scale = window.devicePixelRatio || 1, width = timeline.clientWidth, pen = timeline.getContext('2d');
    timeline.style.height = height + 'px';
    [timeline.width, timeline.height] = [Math.round(width * scale), Math.round(height * scale)];
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    [pen.font, pen.textBaseline] = ['13px system-ui, sans-serif', 'middle'];
    return [pen, width];
  };
  const drawAxis = (pen, width, bottom) => {
    const wanted = 70 * (view.to - view.from) / (width - left());
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 300].find(step => step >= wanted) ?? 600;
    [pen.strokeStyle, pen.lineWidth] = [palette.line, 1];
    for (let mark = Math.ceil(view.from / step - 1e-9); mark * step <= view.to + 1e-9; mark++) {
      const x = Math.round(xOf(mark * step)) + 0.5, words = +(mark * step).toFixed(1) + ' s';
      pen.beginPath();
      pen.moveTo(x, axis - 5);
      pen.lineTo(x, bottom);
      pen.stroke();
      pen.fillStyle = palette.quiet;
      pen.fillText(words, Math.min(x + 4, width - pen.measureText(words).width - 2), axis / 2);
    }
  };
  const drawBar = (pen, lane, kind, mark, index) => {
    const [from, to] = [xOf(mark.start), Math.max(xOf(mark.start) + 2, xOf(mark.end))];
    const isThin = kind === 'intervals' && !lane.isOwn;
    const [top, height] = isThin ? [lane.top + lane.height - 7, 4] : [lane.top + 4, lane.height - 8];
    pen.globalAlpha = mark.isOpen ? 0.45 : 1;
    pen.fillStyle = kind === 'intervals' ? palette.unsure : lane.isOwn ? palette.good : palette.quiet;
    pen.fillRect(from, top, to - from - 1, height);
    pen.globalAlpha = 1;
    pen.fillStyle = palette.ground;
    if (mark.turn !== undefined) pen.fillRect(xOf(mark.turn) - 1, top + height / 2, 2, height / 2);
    if (isThin) return;
    const faults = seen(mark.faults ?? {}), grades = Object.values(mark.grades ?? {}).join(' ');
    const words = kind === 'intervals' ? mark.label : `${index + 1}${faults.length ? ' ⚠' : ''}${grades ? ' · ' + grades : ''}`;
    const isInside = pen.measureText(words).width <= to - from - 8;
    if (isInside) {
      pen.fillText(words, from + 5, top + (mark.turn === undefined ? height / 2 : 9));
    } else if (kind === 'intervals') {
      pen.fillStyle = palette.ink;
      pen.fillText(words, to + 4, top + height / 2);
    }
  };
  const drawEvent = (pen, lane, mark, index) => {
    const x = xOf(mark.time), y = lane.top + lane.height / 2;
    pen.fillStyle = palette.link;
    pen.beginPath();
    for (const [dx, dy] of [[0, -7], [6, 0], [0, 7], [-6, 0]]) pen.lineTo(x + dx, y + dy);
    pen.fill();
    const next = lane.labels.events[index + 1];
    if (!lane.isOwn || (next && xOf(next.time) < x + 16 + pen.measureText(mark.label).width)) return;
    pen.fillStyle = palette.ink;
    pen.fillText(mark.label, x + 9, y);
  };
  const drawLane = (pen, lane) => {
    for (const kind of lane.kinds) {
      const marks = [...lane.labels[kind]];
      if (lane.isOwn && kind === 'reps' && open) marks.push({ ...open, end: Math.max(player.time, open.start), isOpen: true });
      if (lane.isOwn && kind === 'intervals' && openInterval !== null) {
        const [start, end] = [openInterval, player.time].sort((a, b) => a - b);
        marks.push({ start, end, label: get('interval-label').value, isOpen: true });
      }
      marks.forEach((mark, index) => {
        if (endOf(mark) < view.from || startOf(mark) > view.to) return;
        if (kind === 'events') drawEvent(pen, lane, mark, index); else drawBar(pen, lane, kind, mark, index);
      });
    }
  };
  const drawSelected = (pen, all) => {
    const edge = selected && edges(all[0].labels).find(one => isEdge(one, selected));
    const lane = edge && all.find(lane => lane.isOwn && lane.kinds[0] === edge.kind);
    if (!lane) return;
    const x = xOf(edge.time), half = edge.edge === 'time' ? 9 : 4;
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [palette.link, edge.edge === 'time' ? palette.ink : palette.ground, 2];
    pen.beginPath();
    pen.roundRect(x - half, lane.top + 2, 2 * half, lane.height - 4, 3);
    if (edge.edge !== 'time') pen.fill();
    pen.stroke();
  };
  const drawTimeline = () => {
    const all = lanes(), last = all.at(-1), bottom = last.top + last.height, [pen, width] = surface(bottom + 8), { times } = player.clip;
    for (const name of colors) palette[name] = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    pen.fillStyle = palette.ink;
    for (const lane of all) pen.fillText(lane.name, 8, lane.top + lane.height / 2, left() - 14);
    pen.save();
    pen.beginPath();
    pen.rect(left() - 6, 0, width, bottom + 8);
    pen.clip();
    drawAxis(pen, width, bottom);
    for (const lane of all) drawLane(pen, lane);
    drawSelected(pen, all);
    [pen.strokeStyle, pen.lineWidth] = [palette.bad, 2];
    pen.beginPath();
    pen.moveTo(xOf(player.time), axis - 6);
    pen.lineTo(xOf(player.time), bottom);
    pen.stroke();
    pen.restore();
    // Which part of the clip is in view.
    const share = time => left() + (width - left() - 8) * (time - times[0]) / Math.max(1e-6, times.at(-1) - times[0]);
    if (view.to - view.from < times.at(-1) - times[0] - 1e-6) {
      pen.fillStyle = palette.line;
      pen.fillRect(left(), bottom + 2, width - left() - 8, 4);
      pen.fillStyle = palette.quiet;
      pen.fillRect(share(view.from), bottom + 2, share(view.to) - share(view.from), 4);
    }
  };
  const setView = (from, length) => {
    const { times } = player.clip, whole = times.at(-1) - times[0], size = Math.min(whole, Math.max(0.5, length));
    const low = Math.min(times.at(-1) - size, Math.max(times[0], from));
    view = { from: low, to: low + size };
    drawTimeline();
  };
  const zoom = (factor, around = player.time) => setView(around - (around - view.from) * factor, (view.to - view.from) * factor);
  const follow = () => {
    const size = view.to - view.from;
    if (player.time > view.to) setView(player.time - size * 0.1, size);
    if (player.time < view.from) setView(player.time - size * 0.9, size);
  };
  // The edge of an own mark under the pointer. Where two marks meet, the side of the pointer decides.
  const edgeAt = (x, y, reach) => {
    const lane = lanes().find(lane => lane.isOwn && lane.top <= y && y < lane.top + lane.height);
    if (!lane) return null;
    const away = one => Math.abs(x - xOf(one.time) - ({ start: 1, end: -1 }[one.edge] ?? 0));
    const near = edges(lane.labels).filter(one => one.kind === lane.kinds[0]).sort((a, b) => away(a) - away(b))[0];
    return near && away(near) <= reach ? near : null;
  };
  const pointer = event => {
    const box = timeline.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, event.pointerType === 'touch' ? 16 : 8];
  };
  timeline.addEventListener('pointerdown', event => {
    if (!isReady() || event.button !== 0) return;
    const [x, y, reach] = pointer(event), edge = edgeAt(x, y, reach);
    pause();
    timeline.setPointerCapture(event.pointerId);
    selected = edge;
    dragged = { edge, labels: structuredClone(own()), isMoved: false };
    player.seek(edge ? edge.time : timeOf(x));
  });
  timeline.addEventListener('pointermove', event => {
    if (!isReady()) return;
    const [x, y, reach] = pointer(event);
    if (!dragged) { timeline.style.cursor = edgeAt(x, y, reach) ? 'ew-resize' : 'pointer'; return; }
    if (!dragged.edge) { player.seek(timeOf(x)); return; }
    const { kind, index, edge } = dragged.edge, [low, high] = limits(own(), dragged.edge);
    dragged.isMoved = true;
    dragged.time = rounded(Math.min(high, Math.max(low, timeOf(x))));
    dragged.labels[kind][index][edge] = dragged.time;
    player.seek(dragged.time);
  });
  const drop = isKept => {
    const drag = dragged;
    dragged = null;
    if (!drag?.edge) return;
    if (!isKept || !drag.isMoved) { refresh(); return; }
    const to = moveEdge(drag.edge, drag.time);
    say(`${nameOf(drag.edge)}: ${to.toFixed(2)} s.`);
  };
  timeline.addEventListener('pointerup', () => drop(true));
  timeline.addEventListener('pointercancel', () => drop(false));
  timeline.addEventListener('wheel', event => {
    if (!isReady()) return;
    const length = view.to - view.from, isAside = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || event.metaKey) zoom(event.deltaY > 0 ? 1.25 : 0.8, timeOf(pointer(event)[0]));
    else if (isAside) setView(view.from + (event.deltaX || event.deltaY) / timeline.clientWidth * length, length);
    else return;
    event.preventDefault();
  }, { passive: false });

  // What the page says of the clip.
  const fillMarks = () => {
    const labels = own(), rows = Object.keys(nouns).flatMap(kind => labels[kind].map((mark, index) => ({ kind, mark, index })));
    const judgement = one => [
      ...Object.entries(one.faults ?? {}).map(([name, isSeen]) => isSeen ? name : `not ${name}`),
      ...Object.entries(one.grades ?? {}).map(([name, value]) => `${name} ${value}`),
    ].join(', ');
    const table = rows.sort((a, b) => startOf(a.mark) - startOf(b.mark)).map(({ kind, mark, index }) => {
      const row = document.createElement('tr'), name = kind === 'reps' ? `rep ${index + 1}` : mark.label;
      const button = make('button', name, make('td', undefined, row)), times = [startOf(mark), mark.turn, mark.end];
      button.type = 'button';
      button.addEventListener('click', () => player.seek(startOf(mark)));
      for (const words of [...times.map(time => time?.toFixed(2) ?? ''), judgement(mark)]) make('td', words, row);
      return row;
    });
    if (judgement(labels)) {
      const row = document.createElement('tr');
      for (const words of ['whole clip', '', '', '', judgement(labels)]) make('td', words, row);
      table.push(row);
    }
    document.querySelector('#marks tbody').replaceChildren(...table);
    get('marks').hidden = !table.length;
  };
  const fillClip = () => {
    const labels = own(), clip = facts.clips[current];
    get('name').replaceChildren(clip.name);
    make('small', [clip.subject, clip.exercise, clip.view, reasons.get(current)].filter(Boolean).join(', '), get('name'));
    get('draft').hidden = !labels.draft;
    get('draft').textContent = `Draft from ${labels.draft}, or changed after seeing it: `
      + `these labels are left out where ${labels.draft} is judged.`;
    get('draft-button').hidden = !labelling.detector || isAdjudicating;
    get('no-reps').checked = labels.noReps;
    get('unsure').checked = labels.isUnsure;
    get('done').checked = labels.isDone;
    if (document.activeElement !== get('comment')) get('comment').value = labels.comment;
    get('interval').firstChild.textContent = openInterval === null ? 'Start ' : 'End ';
  };
  const fillFinding = () => {
    const done = facts.clips.filter(clip => shownLabels.get(clip.id)?.isDone).length;
    const words = `${labelling.rater}: ${done} of ${count(facts.clips.length, 'clip')} done. Every mark is saved at once in ${labelling.file}.`;
    get('finding').textContent = (isAdjudicating ? agreementWords + ' ' : '') + words;
  };
  const refresh = () => {
    fillFinding();
    if (!isReady()) return;
    for (const name of Object.keys(own().faults).concat(own().reps.flatMap(rep => Object.keys(rep.faults)))) addFault(name);
    fillRow(current);
    fillClip();
    fillMarks();
    if (isAdjudicating) fillDifferences();
    showDetector();
    player.draw();
  };
  root.addEventListener('drawn', () => {
    if (!isReady()) return;
    follow();
    drawTimeline();
    fillHere();
  });

  // Keys in the order of the help: their names there, words, and what each does.
  const step = direction => {
    const { times } = player.clip, frame = Math.min(times.length - 1, Math.max(0, frameAt(player.time) + direction));
    pause();
    player.seek(times[frame]);
  };
  const nextSpeed = () => {
    speed.selectedIndex = (speed.selectedIndex + 1) % speed.options.length;
    say(`Speed: ${speed.selectedOptions[0].textContent}.`);
  };
  const nextCriterion = () => {
    criterion = (criterion + 1) % Math.max(1, labelling.criteria.length);
    refresh();
  };
  const [zoomIn, jump] = [() => zoom(1 / 1.5), isAdjudicating ? nextDifference : nextMark];
  const groups = {
    'Play': [
      ['Space', 'Play or pause', { ' ': () => play.click() }],
      ['← →', 'Previous and next frame', { ArrowLeft: () => step(-1), ArrowRight: () => step(1) }],
      ['v', 'Next speed', { v: nextSpeed }],
      ['n p', `Next and previous ${isAdjudicating ? 'difference' : 'mark'}`, { n: () => jump(1), p: () => jump(-1) }],
      ['+ − w', 'Zoom in, zoom out, whole clip. Also Ctrl and the mouse wheel', {
        '+': zoomIn, '=': zoomIn, '-': () => zoom(1.5), w: () => setView(player.clip.times[0], Infinity),
      }],
    ],
    'Mark': [
      ['s', 'Start a rep. During a rep: end it and start the next', { s: startRep }],
      ['t', 'Turn of the rep (not required)', { t: turnRep }],
      ['e', 'End the rep', { e: endRep }],
      ['o O', 'Mark an event; choose its label', { o: markEvent, O: () => nextOption(get('event-label')) }],
      ['i I', 'Start or end an interval; choose its label', { i: markInterval, I: () => nextOption(get('interval-label')) }],
    ],
    'Judge the rep at the playhead, or the clip': [
      ['f 1…9', 'Fault seen. Again: not there. Again: not judged', { f: askFault }],
      ['1…9 0', 'Grade, lowest to highest. Again: remove', Object.fromEntries([...'1234567890'].map(key => [key, () => digit(key)]))],
      ['g', 'Next criterion', { g: nextCriterion }],
    ],
    'Correct': [
      ['[ ]', 'Select the previous or next edge', { '[': () => nextEdge(-1), ']': () => nextEdge(1) }],
      [', .', 'Move the selected edge by a frame. Or drag it', { ',': () => nudge(-1), '.': () => nudge(1) }],
      ['x', 'Remove the mark at the playhead', { x: remove }],
      ['u r', 'Undo and redo', { u: undo, r: () => travel('redone', 'undone', 'after', 'r') }],
    ],
    'Clip': [
      ['Enter', 'Mark the clip done and go to the next open clip', { Enter: finish }],
      ['j k', 'Next and previous clip', { j: () => move(1), k: () => move(-1) }],
      ['z', 'No reps here', { z: () => setFlag('noReps', !own().noReps) }],
      ['q', 'Unsure', { q: () => setFlag('isUnsure', !own().isUnsure) }],
      ['c', 'Comment. Esc leaves it', { c: () => get('comment').focus() }],
      ['d', 'Draft from the detector', { d: draft }],
      ['?', 'Show these keys', { '?': () => get('help').showModal() }],
    ],
  };
  if (isAdjudicating) {
    groups['Clip'] = groups['Clip'].filter(([names]) => names !== 'd');
    groups['Differences'] = [
      ['a b', `Take ${pairOf[0]}'s or ${pairOf[1]}'s label`, { a: () => decide('a'), b: () => decide('b') }],
      ['m', 'Keep your own label', { m: () => decide() }],
    ];
  }
  const actions = new Map(), withoutClip = ['Enter', 'j', 'k', '?'], repeated = ['ArrowLeft', 'ArrowRight', ',', '.'];
  const addKeys = () => {
    for (const [title, keys] of Object.entries(groups)) {
      const part = make('section', undefined, get('help-keys')), rows = (make('h3', title, part), make('dl', undefined, part));
      for (const [names, words, runs] of keys) {
        for (const [key, run] of Object.entries(runs)) actions.set(key, run);
        const term = make('dt', undefined, rows);
        for (const name of names.split(' ')) term.append(make('kbd', name), ' ');
        make('dd', words, rows);
      }
    }
  };
  const press = key => {
    if (isLoading && key !== '?') { held.push(() => press(key)); return; }
    if (!isReady() && !withoutClip.includes(key)) return;
    if (isFaultAsked && !/^\d$/.test(key)) {
      isFaultAsked = false;
      refresh();
    }
    actions.get(key)();
  };
  const isField = target => target.matches('select, textarea, input:not([type=checkbox], [type=range])');
  addEventListener('keydown', event => {
    const target = event.target instanceof Element ? event.target : document.body;
    // The player's own keys would act a second time.
    event.stopPropagation();
    if (document.querySelector('dialog[open]')) {
      if (event.key === '?' && get('help').open) get('help').close();
      return;
    }
    if (isField(target)) {
      if (event.key === 'Escape' || (event.key === 'Enter' && target.id === 'comment')) toPlayer();
      return;
    }
    if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')) return;
    if (event.key === 'Escape') {
      drop(false);
      if (isFaultAsked) { isFaultAsked = false; say(''); refresh(); }
      return;
    }
    const isNative = (target.matches('button') && [' ', 'Enter'].includes(event.key)) || (target.type === 'checkbox' && event.key === ' ');
    if (isNative) return;
    if (moveInList(event.key) || actions.has(event.key)) event.preventDefault();
    if (actions.has(event.key) && (!event.repeat || repeated.includes(event.key))) press(event.key);
  }, true);
  // After a click the keys go on as before it.
  let isPointed = false;
  addEventListener('pointerdown', event => { isPointed = event.target.tagName === 'SELECT'; }, true);
  addEventListener('change', () => { if (isPointed && !document.querySelector('dialog[open]')) toPlayer(); });
  addEventListener('click', event => {
    if (event.detail && event.target.closest('button, [type=checkbox]') && !document.querySelector('dialog[open]') && isReady()) toPlayer();
  });
  addEventListener('beforeunload', event => {
    const isCommenting = isReady() && get('comment').value.trim() !== own().comment;
    if (open || openInterval !== null || unsaved.size || save.isBusy || isCommenting) event.preventDefault();
  });
  addEventListener('resize', () => { if (isReady()) drawTimeline(); });
  addEventListener('hashchange', () => {
    const wanted = new URLSearchParams(location.hash.slice(1)), index = indexOf(wanted.get('clip'));
    if (index < 0 || index === current) return;
    wantedTime = wanted.has('t') ? Number(wanted.get('t')) : undefined;
    choose(index);
  });

  const setPair = () => {
    differences.clear();
    agreements.clear();
    agreementWords = agreement();
    const [first, second] = pairOf;
    fillSentence(get('todo'), `Settle what ${first} and ${second} marked differently: `
      + `press \`a\` to take ${first}'s label, \`b\` to take ${second}'s, and \`Enter\` when the clip is done.`);
  };
  const addPair = () => {
    setPair();
    if (labelling.raters.length < 3) return;
    pairOf.forEach((own, side) => {
      const label = make('label', side ? 'with ' : 'Compare ', document.querySelector('.filters'));
      const select = make('select', undefined, label);
      for (const rater of labelling.raters) select.add(new Option(rater));
      select.value = own;
      select.addEventListener('change', () => {
        pairOf[side] = select.value;
        setPair();
        setOrder();
        fill();
        chosenDifference = null;
        refresh();
      });
    });
  };
  const begin = async () => {
    addKeys();
    addGrades();
    for (const name of faults) addFaultButton(name);
    get('add-fault').addEventListener('click', nameFault);
    fillLabels(get('event-label'), [...labelling.events]);
    fillLabels(get('interval-label'), [...new Set(['negative', ...labelling.intervals])]);
    for (const button of document.querySelectorAll('button[data-key]')) button.addEventListener('click', () => press(button.dataset.key));
    for (const [id, name] of [['no-reps', 'noReps'], ['unsure', 'isUnsure'], ['done', 'isDone']]) {
      get(id).addEventListener('change', () => { if (isReady()) setFlag(name, get(id).checked); });
    }
    get('detector').addEventListener('change', refresh);
    get('comment').addEventListener('change', saveComment);
    get('differences').hidden = !isAdjudicating;
    if (isAdjudicating) root.append(get('here'));
    fillSentence(get('todo'), 'Watch the clip and mark its reps: press `Space` to play, `s` where a rep starts, '
      + '`e` where it ends, and `Enter` when the clip is done.');
    addFilters();
    isLoading = true;
    try {
      await load();
      if (isAdjudicating) {
        const all = await ask('raters');
        for (const rater of labelling.raters) raters.set(rater, all[rater] ?? {});
        addPair();
      }
    } catch (error) { trouble(error); }
    setOrder();
    fill();
    fillFinding();
    const wanted = new URLSearchParams(location.hash.slice(1)), index = indexOf(wanted.get('clip'));
    if (index >= 0 && wanted.has('t')) wantedTime = Number(wanted.get('t'));
    await choose(index >= 0 ? index : order.find(index => !labelsOf(idOf(index)).isDone) ?? order[0]);
  };
  begin();
})();
