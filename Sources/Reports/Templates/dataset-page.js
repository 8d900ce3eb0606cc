'use strict';
// The page of bench dataset show --html: a card for each clip, whose skeleton moves while it is on the screen.
(() => {
  const cards = JSON.parse(document.getElementById('cards').textContent);
  const list = document.getElementById('clips'), filters = document.querySelector('.filters');
  const make = player.make;
  const address = (card, t) => '#clip=' + encodeURIComponent(card.id) + (t === undefined ? '' : '&t=' + t.toFixed(2));

  const rows = cards.map((card, index) => {
    const row = document.createElement('li'), clip = player.clips[index];
    const canvas = make('canvas', undefined, row), name = make('a', clip.title, row);
    canvas.setAttribute('aria-hidden', 'true');
    name.href = address(card);
    make('small', [card.subject, card.exercise, card.view].filter(word => word).join(', '), row);
    make('small', card.labels, row);
    for (const finding of card.findings) {
      const words = make('small', undefined, row);
      words.className = finding.severity;
      words.append(finding.severity + ': ');
      if (finding.start === undefined) words.append(finding.words);
      else make('a', finding.start.toFixed(2) + ' s ' + finding.words, words).href = address(card, finding.start);
    }
    return { row, canvas, clip, card };
  });

  const choices = {};
  const fill = () => {
    const shown = rows.filter(({ card }) => Object.entries(choices).every(([key, select]) => {
      if (!select.value) return true;
      return key === 'findings' ? card.findings.length > 0 : card[key] === select.value.trim();
    }));
    list.replaceChildren(...shown.map(({ row }) => row));
    document.getElementById('shown').textContent = `${shown.length} of ${rows.length} clips`;
  };
  for (const key of ['exercise', 'view', 'subject', 'findings']) {
    const known = key === 'findings' ? [...new Set(cards.map(card => card.findings.length ? 'with findings' : ''))].filter(name => name)
      : [...new Set(cards.map(card => card[key]))].sort();
    if (known.length < (key === 'findings' ? 1 : 2)) continue;
    const label = make('label', (key === 'subject' ? 'Person' : key[0].toUpperCase() + key.slice(1)) + ' ', filters), select = make('select', undefined, label);
    select.dataset.filter = key;
    select.add(new Option('all', ''));
    for (const name of known) select.add(new Option(name || 'unknown', name === '' ? ' ' : name));
    select.addEventListener('change', fill);
    choices[key] = select;
  }
  fill();

  const seen = new Set(), sketch = ({ canvas, clip }, now) => player.sketch(canvas, clip, clip.times[0] + now % Math.max(1e-3, clip.times[clip.frames - 1] - clip.times[0]));
  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const own = rows.find(({ canvas }) => canvas === entry.target);
      if (!entry.isIntersecting) { seen.delete(own); continue; }
      seen.add(own);
      player.sketch(own.canvas, own.clip, own.clip.truth[0]?.turn ?? own.clip.times[0]);
    }
  });
  for (const { canvas } of rows) observer.observe(canvas);

  // Who asks for less motion sees the turn of the first rep.
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let last = 0;
  const move = now => {
    if (!still.matches && now - last > 1000 / 16) {
      last = now;
      for (const own of seen) sketch(own, now / 1000);
    }
    requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
})();
