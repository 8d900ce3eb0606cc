// Sorts tables by a click on a column's name, and filters those of clips. Without it a page shows every row.
(() => {
  const number = text => {
    const found = text.replaceAll('−', '-').match(/^[+±]?(-?\d+(\.\d+)?)/);
    return found ? Number(found[1]) : NaN;
  };
  const isNothing = text => text === '' || text === 'n/a';
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, 'en', {numeric: true}) : x - y;
  };
  const labelled = (words, element) => {
    const label = document.createElement('label');
    label.append(words + ' ', element);
    return label;
  };
  const select = options => {
    const element = document.createElement('select');
    for (const [value, words] of options) element.add(new Option(words, value));
    return element;
  };
  const few = 8;

  // What a link leads to is not left folded.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.closest('details')) target.closest('details').open = true;
  };
  addEventListener('hashchange', unfold);
  unfold();

  for (const table of document.querySelectorAll('table')) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    // On a phone this column stays in sight.
    const pinned = rows.length ? [...rows[0].cells].findIndex(cell => cell.matches('.gain, .why')) : -1;
    if (pinned > 0) table.tHead.rows[0].cells[pinned].classList.add('pinned');
    if (rows.length < 2) continue;
    let show = () => {};
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const sign = head.ariaSort === 'ascending' ? -1 : 1;
        for (const other of heads) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
        rows.sort((a, b) => {
          const [x, y] = [a, b].map(row => row.cells[column].textContent.trim());
          // What is unknown comes last either way.
          return isNothing(x) - isNothing(y) || sign * compare(x, y);
        });
        body.append(...rows);
        show();
      });
    });
    if (!('clips' in table.dataset)) continue;

    const count = key => rows.filter(row => key in row.dataset).length;
    const kinds = [['wrong', 'failures only'], ['changed', 'changed only']].filter(([key]) => count(key) > 0);
    const options = kinds.map(([key, words]) => [key, `${words} (${count(key)})`]);
    if (rows.length > few) options.unshift(['few', `the first ${few}`]);
    const kind = select([...options, ['all', `all (${rows.length})`]]);
    if (rows.length <= few) kind.value = 'all';
    const views = [...new Set(rows.map(row => row.dataset.view))].sort();
    const view = select([['', 'all views'], ...views.map(name => [name, name])]);
    const people = [...new Set(rows.map(row => row.dataset.person))].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
    const person = select([['', 'all people'], ...people.map(name => [name, name])]);
    const shown = document.createElement('output');
    show = () => {
      let left = kind.value === 'few' ? few : rows.length;
      let total = 0;
      for (const row of rows) {
        const isKind = kind.value === 'few' || kind.value === 'all' || kind.value in row.dataset;
        row.hidden = !isKind || (view.value && row.dataset.view !== view.value)
          || (person.value && row.dataset.person !== person.value) || left-- <= 0;
        if (!row.hidden) total++;
      }
      shown.textContent = `${total} of ${rows.length} clips`;
    };
    for (const element of [kind, view, person]) element.addEventListener('change', show);
    const bar = document.createElement('p');
    bar.className = 'controls';
    bar.append(labelled('Show', kind), ...(views.length > 1 ? [labelled('View', view)] : []),
      ...(people.length > 1 ? [labelled('Person', person)] : []), shown);
    table.parentElement.before(bar);
    show();
    // A link to a person's clips.
    const follow = () => {
      const wanted = new URLSearchParams(location.hash.slice(1)).get('person');
      if (!people.includes(wanted)) return;
      [kind.value, view.value, person.value] = ['all', '', wanted];
      show();
      bar.scrollIntoView();
    };
    addEventListener('hashchange', follow);
    follow();
  }
})();
