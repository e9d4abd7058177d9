import { announce, byId, el, setPressed, setText } from './dom.ts';
import { type Call, isSnippetKind, snippetOf } from './snippets.ts';
import { isStale, type Result, type Store } from './state.ts';
import {
  describeCost,
  describeReport,
  describeSizeChange,
  formatBytes,
  formatDuration,
  placeTexts,
} from './strings.ts';

/** The result: the purge report, the cost of the call, and the same call as code. */
export function showResult(store: Store): void {
  const section = byId('result');
  let rendered: Result | null = null;
  store.subscribe(() => {
    const { result, view, photo, snippet } = store.state;
    section.hidden = view !== 'result' || !result;
    if (!result || !photo) return;
    byId('stale').hidden = !isStale(store.state);
    setPressed(section, 'snippet', snippet);
    const call = callOf(result, photo.file.name, store.state.apiKey !== null);
    setText(byId('snippet'), snippetOf(snippet, call));
    if (rendered === result) return;
    rendered = result;
    renderReport(result);
  });

  section.addEventListener('click', ({ target }) => {
    const snippet = target instanceof HTMLElement ? target.dataset.snippet : undefined;
    if (isSnippetKind(snippet)) store.update({ snippet });
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

function callOf({ request, name }: Result, file: string, keyed: boolean): Call {
  const extension = name.split('.').at(-1) ?? 'jpg';
  return { origin: location.origin, file, extension, ops: request.ops, keyed };
}

function renderReport({ url, name, report, engine, facts, request, sourceBytes }: Result): void {
  setText(byId('result-title'), report.metadataStripped ? 'Clean' : 'Not clean');
  byId('sizes').replaceChildren(
    el('span', { textContent: `${formatBytes(sourceBytes)} → ${formatBytes(report.bytes)}` }),
    el('span', {
      className: 'note',
      textContent: `${describeSizeChange(sourceBytes, report.bytes)}, ${report.width} × ${report.height} pixels`,
    }),
  );
  byId('report').replaceChildren(
    ...describeReport(report, request.pixelation).map(({ text, tone }) =>
      el('li', { className: tone, textContent: text }),
    ),
  );
  const download = byId<HTMLAnchorElement>('download');
  download.href = url;
  download.download = name;
  setText(download, `Download ${name.split('.').at(-1)?.toUpperCase()}, ${formatBytes(report.bytes)}`);
  const worked = placeTexts[engine].worked(formatDuration(report.durationMs));
  setText(byId('cost'), facts ? `${describeCost(facts)} ${worked}` : worked);
}
