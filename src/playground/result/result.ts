import { announce, byId, el, setPressed, setText } from '../dom.ts';
import { outputExtension, outputName } from '../photos/output_files.ts';
import { photosOf } from '../photos/photo_list.ts';
import { isStale, type Result, type Store } from '../state.ts';
import {
  describeCost,
  describeReport,
  describeResult,
  describeSizeChange,
  formatBytes,
  formatDuration,
  mainSentences,
  type Sentence,
} from '../strings.ts';
import { t } from '../texts.ts';
import type { Call } from './snippets.ts';

/** The result: the purge report, the cost of the call, and the same call as code. */
export function showResult(store: Store): void {
  const section = byId('result');
  store.subscribe(() => {
    const { result, view, photo, snippet } = store.state;
    section.hidden = view !== 'result' || !result;
    if (!result || !photo) return;
    // It is visible only here, and computing it takes a plan.
    byId('stale').hidden = section.hidden || !isStale(store.state);
    setPressed(section, 'snippet', snippet);
    const call = callOf(result, photo.file.name, store.state.apiKey !== null);
    // Needed only once there is a result.
    const write = ({ snippetOf }: typeof import('./snippets.ts')) => {
      if (store.state.result === result && store.state.snippet === snippet)
        setText(byId('snippet'), snippetOf(snippet, call));
    };
    void import('./snippets.ts').then(write).catch(() => undefined);
    byId<HTMLAnchorElement>('download').download = outputName(
      photosOf(store.state),
      result.image,
      store.state.nameRule,
    );
  });
  store.view<[Result]>(({ result }) => result && [result], renderReport);

  section.addEventListener('click', ({ target }) => {
    const snippet = target instanceof HTMLElement ? target.dataset.snippet : undefined;
    if (snippet === 'library' || snippet === 'curl' || snippet === 'client') store.update({ snippet });
  });
  const copy = byId('copy');
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(byId('snippet').textContent ?? '').then(
      () => {
        copy.textContent = t('copy.done');
        announce(t('copy.announce'));
        setTimeout(() => setText(copy, t('copy')), 2000);
      },
      () => announce(t('copy.refused')),
    );
  });
}

function callOf({ request, format }: Result, file: string, keyed: boolean): Call {
  return { origin: location.origin, file, extension: outputExtension(format), ops: request.ops, keyed };
}

function renderReport({ url, format, report, engine, facts, request, sourceBytes }: Result): void {
  setText(byId('result-title'), describeResult(report, request.pixelation));
  byId('sizes').replaceChildren(
    // From left to right even in right-to-left text.
    el('bdi', { dir: 'ltr', textContent: `${formatBytes(sourceBytes)} → ${formatBytes(report.bytes)}` }),
    el('span', {
      className: 'note',
      textContent: t('result.sizes', {
        change: describeSizeChange(sourceBytes, report.bytes),
        width: report.width,
        height: report.height,
      }),
    }),
  );
  const { main, more } = mainSentences(describeReport(report, request.pixelation));
  byId('report').replaceChildren(...main.map(sentenceItem));
  byId('report-more').replaceChildren(...more.map(sentenceItem));
  byId('more').hidden = more.length === 0;
  const download = byId<HTMLAnchorElement>('download');
  download.href = url;
  setText(
    download,
    t('result.download', {
      format: outputExtension(format).toUpperCase(),
      size: formatBytes(report.bytes),
    }),
  );
  const worked = t(`${engine}.worked`, { duration: formatDuration(report.durationMs) });
  setText(byId('cost'), facts ? `${describeCost(facts)} ${worked}` : worked);
}

const sentenceItem = ({ text, tone }: Sentence) => el('li', { className: tone, textContent: text });
