'use strict';
// The page of bench dataset show --html: a card for each clip, whose skeleton moves while it is on the screen.
(() => {
  const cards = JSON.parse(document.getElementById('cards').textContent);
  const list = document.getElementById('clips');
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

  const filtered = new Map(cards.map(card => [card, { ...card, findings: card.findings.length ? 'with findings' : 'without findings' }]));
  let matches = () => true;
  const fill = () => {
    const shown = rows.filter(({ card }) => matches(filtered.get(card)));
    list.replaceChildren(...shown.map(({ row }) => row));
    document.getElementById('shown').textContent = `${shown.length} of ${rows.length} clips`;
  };
  matches = player.addFilters(['exercise', 'view', 'subject', 'findings'], [...filtered.values()], fill);
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
