import type { BlockName, InspectResult } from '../../client/index.ts';
import { byId, el } from './dom.ts';
import { uprightSize } from './geometry.ts';
import type { Store } from './state.ts';
import { blockTexts, formatBytes, pluralize } from './strings.ts';

/** The result of inspect: the file's facts, and its metadata blocks. */
export function showFindings(store: Store): void {
  const box = byId('findings');
  let rendered: unknown;
  store.subscribe(() => {
    const { photo, inspection } = store.state;
    const shown = inspection ?? photo?.file;
    if (shown === rendered || !photo) return;
    rendered = shown;
    if (inspection) box.replaceChildren(...findings(inspection));
    else
      box.replaceChildren(
        el('p', { className: 'facts', textContent: `${photo.file.name}, ${formatBytes(photo.file.size)}` }),
        el('p', { className: 'note', textContent: 'Not looked inside yet.' }),
      );
  });
}

function findings(result: InspectResult): HTMLElement[] {
  const { format, bytes, orientation, frames, complete, has_gps: hasGps, blocks } = result;
  const { width, height } = uprightSize(result, orientation);
  const size = `${width} × ${height}`;
  const facts = el('p', {
    className: 'facts',
    textContent: `${format.toUpperCase()}, ${size} pixels, ${formatBytes(bytes)}`,
  });
  const notices = [
    hasGps &&
      el(
        'p',
        { className: 'warning' },
        el('strong', { textContent: 'It says where it was taken.' }),
        ' Anyone who gets this file can read the place from its GPS data.',
      ),
    !complete &&
      el('p', { className: 'warning', textContent: 'The file is cut short: it can’t be cleaned.' }),
    frames > 1 &&
      el('p', { className: 'note', textContent: `${pluralize(frames, 'frame')}: only the first is kept.` }),
  ].filter((part) => part !== false);
  if (blocks.length === 0) return [facts, ...notices, el('p', { textContent: 'It carries no metadata.' })];
  return [facts, ...notices, blockTable(blocks)];
}

function blockTable(blocks: InspectResult['blocks']): HTMLElement {
  const bytesOf = new Map<BlockName, number>();
  for (const { name, bytes } of blocks) bytesOf.set(name, (bytesOf.get(name) ?? 0) + bytes);
  const rows = [...bytesOf].map(([name, bytes]) => {
    const [title, reveals] = blockTexts[name] ?? [name, ''];
    const head = el(
      'th',
      { scope: 'row' },
      title,
      el('span', { className: 'reveals', textContent: reveals }),
    );
    return el(
      'tr',
      { className: name === 'gps' ? 'alarming' : '' },
      head,
      el('td', { textContent: formatBytes(bytes) }),
    );
  });
  return el(
    'table',
    { className: 'blocks' },
    el('caption', { className: 'unseen', textContent: 'Metadata blocks in the file' }),
    el(
      'thead',
      { className: 'unseen' },
      el(
        'tr',
        {},
        el('th', { scope: 'col', textContent: 'Block' }),
        el('th', { scope: 'col', textContent: 'Size' }),
      ),
    ),
    el('tbody', {}, ...rows),
  );
}
