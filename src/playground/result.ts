import { announce, byId, el, press, setText } from './dom.ts';
import { clientSnippet, curlSnippet } from './snippets.ts';
import { isStale, type Result, type Store } from './state.ts';
import { bytesInWords, changeInWords, costInWords, reportInWords, timeInWords } from './strings.ts';

/** The clean photo: what was done to it, what it cost, and how to do the same by code. */
export function showResult(store: Store): void {
  const section = byId('result');
  let drawn: Result | null = null;
  store.view(() => {
    const { result, view, photo, snippet } = store.state;
    section.hidden = view !== 'result' || !result;
    if (!result || !photo) return;
    byId('stale').hidden = !isStale(store.state);
    press(section, 'snippet', snippet);
    const write = snippet === 'curl' ? curlSnippet : clientSnippet;
    setText(byId('snippet'), write(callOf(result, photo.file.name, store.state.key !== null)));
    if (drawn === result) return;
    drawn = result;
    drawReport(result);
  });

  section.addEventListener('click', ({ target }) => {
    const snippet = target instanceof HTMLElement ? target.dataset.snippet : undefined;
    if (snippet === 'curl' || snippet === 'client') store.update({ snippet });
  });
  const copy = byId('copy');
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(byId('snippet').textContent ?? '').then(
      () => {
        copy.textContent = 'Copied';
        announce('Copied.');
        setTimeout(() => setText(copy, 'Copy'), 2000);
      },
      () => announce('Copying was refused by the browser. Select the code and copy it.'),
    );
  });
}

function callOf({ order, name }: Result, file: string, keyed: boolean) {
  return { origin: location.origin, file, extension: name.split('.').at(-1) ?? 'jpg', ops: order.ops, keyed };
}

function drawReport({ address, name, report, facts, order, before }: Result): void {
  setText(byId('result-title'), report.metadataStripped ? 'Clean' : 'Not clean');
  byId('sizes').replaceChildren(
    el('span', { textContent: `${bytesInWords(before)} → ${bytesInWords(report.bytes)}` }),
    el('span', {
      className: 'note',
      textContent: `${changeInWords(before, report.bytes)}, ${report.width} × ${report.height} pixels`,
    }),
  );
  byId('report').replaceChildren(
    ...reportInWords(report, order.plan).map(({ text, mood }) =>
      el('li', { className: mood, textContent: text }),
    ),
  );
  const download = byId<HTMLAnchorElement>('download');
  download.href = address;
  download.download = name;
  setText(download, `Download ${name.split('.').at(-1)?.toUpperCase()}`);
  setText(byId('cost'), `${costInWords(facts)} The service worked ${timeInWords(report.durationMs)}.`);
}
