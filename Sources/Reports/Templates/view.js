'use strict';
// The page of bench view: a list of clips with filters, and sliders that replay.
(() => {
  const facts = JSON.parse(document.getElementById('view-facts').textContent);
  const get = id => document.getElementById(id);
  const list = document.querySelector('#clips ol'), filters = document.querySelector('.filters');
  const make = player.make;
  let current = -1, scores = null, values = new Map();

  const trouble = error => { get('trouble').textContent = error ? error.message : ''; };
  const ask = async path => {
    const answer = await fetch(path).catch(() => { throw new Error('No connection: bench view has ended. Start it again.'); });
    const words = await answer.text();
    if (!answer.ok) throw new Error(words);
    return JSON.parse(words);
  };
  const query = more => new URLSearchParams([...more, ...values]).toString();

  // Does one thing at a time: what is asked for meanwhile is done afterwards, the latest only.
  const latest = work => {
    let isBusy = false, isWanted = false;
    const run = async () => {
      if (isBusy) { isWanted = true; return; }
      isBusy = true;
      do {
        isWanted = false;
        try { await work(); trouble(null); } catch (error) { trouble(error); }
      } while (isWanted);
      isBusy = false;
    };
    return run;
  };

  // Filters and the list.
  const failures = document.createElement('input');
  let matches = () => true;
  const addFilters = () => {
    matches = player.addFilters(['exercise', 'view', 'subject'], facts.clips, fill);
    const label = make('label', undefined, filters);
    failures.type = 'checkbox';
    failures.id = 'failures';
    label.append(failures, ' Only failures');
    failures.addEventListener('change', fill);
  };
  const isShown = index => matches(facts.clips[index]) && (!failures.checked || Boolean(scores?.clips[index].isWrong));
  const shown = () => facts.clips.map((_, index) => index).filter(isShown);

  const fill = () => {
    const rows = shown();
    list.replaceChildren(...rows.map(index => {
      const clip = facts.clips[index], row = document.createElement('li'), button = make('button', undefined, row);
      button.type = 'button';
      button.dataset.clip = index;
      make('span', clip.name, button);
      make('small', [clip.subject, clip.exercise, clip.view].filter(word => word).join(', '), button);
      if (scores) {
        const score = scores.clips[index];
        const words = make('small', score.words + (score.change ? ` (${score.change})` : ''), button);
        if (score.isWrong) words.className = 'wrong';
      }
      if (index === current) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => choose(index));
      return row;
    }));
    get('shown').textContent = `${rows.length} of ${facts.clips.length} clips`;
  };

  const choose = index => {
    current = index;
    for (const button of list.querySelectorAll('button')) {
      button.toggleAttribute('aria-current', Number(button.dataset.clip) === index);
      if (Number(button.dataset.clip) === index) {
        button.setAttribute('aria-current', 'true');
        button.scrollIntoView({ block: 'nearest' });
      }
    }
    return showClip();
  };
  const move = direction => {
    const rows = shown(), at = rows.indexOf(current);
    const next = at >= 0 ? rows[at + direction] : direction > 0 ? rows.find(i => i > current) : rows.filter(i => i < current).pop();
    if (next !== undefined) {
      choose(next);
      get('player').focus({ preventScroll: true });
    }
  };

  let wantedTime;
  const showClip = latest(async () => {
    if (current < 0) return;
    const index = current, clip = await ask('clip?' + query([['clip', index]]));
    if (index !== current) return;
    if (!clip) throw new Error(facts.clips[index].name + ' has no frames.');
    player.show(clip, wantedTime);
    wantedTime = undefined;
  });

  const showScores = latest(async () => {
    scores = await ask('score?' + query([]));
    get('finding').textContent = scores.finding;
    get('options').textContent = scores.options;
    ['before', 'now'].forEach((side, index) => { get(side).textContent = side + (scores.sides.length ? ` (${scores.sides[index]})` : ''); });
    document.querySelector('#metrics tbody').replaceChildren(...scores.metrics.map(metric => {
      const row = document.createElement('tr');
      for (const key of ['name', 'before', 'now']) {
        const cell = make('td', metric[key], row);
        if (key !== 'name') cell.dataset.label = key; else cell.className = 'name';
      }
      if (metric.change) row.lastChild.className = metric.change;
      return row;
    }));
    fill();
  });

  // Sliders.
  const addSliders = () => {
    const rows = new Map();
    const digits = step => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const set = (own, value) => {
      const row = rows.get(own.name);
      const number = Math.min(own.high, Math.max(own.low, value));
      if (!Number.isFinite(number)) return;
      if (number === own.value) values.delete(own.name); else values.set(own.name, number);
      for (const input of row.querySelectorAll('input')) {
        if (input.type === 'checkbox') input.checked = number === 1; else if (Number(input.value) !== number) input.value = number;
      }
      row.classList.toggle('changed', number !== own.value);
      showClip();
      showScores();
    };
    for (const own of facts.parameters) {
      const row = make('div', undefined, get('sliders')), label = make('label', undefined, row), id = 'set-' + own.name;
      rows.set(own.name, row);
      label.htmlFor = id;
      make('span', own.name + (own.isToggle ? '' : ` (${own.unit})`), label);
      make('small', own.summary, label);
      const inputs = own.isToggle ? ['checkbox'] : ['range', 'number'];
      for (const type of inputs) {
        const input = make('input', undefined, row);
        input.type = type;
        if (type === 'checkbox') {
          input.checked = own.value === 1;
        } else {
          [input.min, input.max, input.step, input.value] = [own.low, own.high, 'any', own.value];
        }
        if (type === 'number') input.setAttribute('aria-label', own.name); else input.id = id;
        input.addEventListener(type === 'number' ? 'change' : 'input', () => {
          if (type === 'checkbox') { set(own, input.checked ? 1 : 0); return; }
          const value = Number(input.value);
          const isOwn = type === 'number' || Math.abs(value - own.value) < own.step / 4;
          set(own, isOwn ? (type === 'number' ? value : own.value) : Number((Math.round(value / own.step) * own.step).toFixed(digits(own.step))));
        });
      }
    }
    get('reset').addEventListener('click', () => {
      for (const own of facts.parameters) if (values.has(own.name)) set(own, own.value);
    });
  };

  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.tagName === 'SELECT' || (event.target.tagName === 'INPUT' && event.target.type === 'number');
    if (isTyping) return;
    if (event.key === 'j' || event.key === 'k') {
      event.preventDefault();
      move(event.key === 'j' ? 1 : -1);
    }
  });
  addEventListener('hashchange', () => {
    const wanted = new URLSearchParams(location.hash.slice(1)), index = facts.clips.findIndex(clip => clip.id === wanted.get('clip'));
    if (index >= 0 && index !== current) {
      wantedTime = wanted.has('t') ? Number(wanted.get('t')) : undefined;
      choose(index);
    }
  });

  player.fixer = ({ kind, index }) => ask('fix?' + query([['clip', current], [kind, index]]));

  const begin = async () => {
    addFilters();
    addSliders();
    await showScores();
    const wanted = new URLSearchParams(location.hash.slice(1));
    const index = facts.clips.findIndex(clip => clip.id === wanted.get('clip'));
    if (index >= 0) wantedTime = wanted.has('t') ? Number(wanted.get('t')) : undefined;
    const first = Math.max(0, scores.clips.findIndex(clip => clip.isWrong));
    await choose(index >= 0 ? index : first);
  };
  begin();
})();
