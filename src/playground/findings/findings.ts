import type { BlockName, InspectResult } from '../../../client/index.ts';
import { byId, el } from '../dom.ts';
import { shownSize } from '../geometry.ts';
import { previewOf } from '../pictures/preview.ts';
import type { Store } from '../state.ts';
import { describePosition, formatBytes } from '../strings.ts';
import { countryName, t } from '../texts.ts';
import { compareWith, embeddedPictures } from './embedded_pictures.ts';
import { nearestTown } from './nearest_town.ts';
import { placeMap } from './place_map.ts';
import {
  gravest,
  knownPositions,
  type Revelation,
  revelations,
  tellsPlace,
  valuesOf,
} from './revelations.ts';
import type { GeoPoint } from './world_map.ts';

/** A place within this many kilometres of a town's centre is described as in or near it. */
const NEARBY = 12;

/** Shows the results of inspect: what the file says, in sentences, and which blocks say it. */
export function showFindings(store: Store): void {
  const box = byId('findings');
  const above = byId<HTMLButtonElement>('gravest');
  above.addEventListener('click', () => byId('found-title').focus());
  let ofFile: File | null = null;
  const preview = previewOf(store);
  /** Pictures from inside the file, waiting for the copy of the picture that they are compared with. */
  let drawn: HTMLCanvasElement[] = [];
  store.view(
    () => preview.copy && [preview.copy],
    ({ pixels }) => {
      for (const canvas of drawn) compareWith(pixels, canvas);
    },
  );
  store.subscribe(() => {
    // What the original reveals does not apply to the result.
    above.hidden = store.state.inspection === null || store.state.view === 'result';
  });
  // The picture is shown next to those embedded in it, so this part is drawn again once it can be displayed.
  store.view(
    ({ photo, inspection, photos, currentId }) =>
      photo && [
        photo.file,
        inspection,
        photo.displayUrl,
        photos.find(({ id }) => id === currentId)?.failure ?? null,
      ],
    (file, inspection, displayUrl, failure) => {
      // The findings of another photo are shown from their beginning.
      if (ofFile !== file) box.closest('.panel')?.scrollTo(0, 0);
      ofFile = file;

      if (inspection) {
        const { sentence, alarming } = gravest(inspection);
        above.textContent = sentence;
        above.classList.toggle('alarming', alarming);
        drawn = [];
        const compare = (canvas: HTMLCanvasElement) => {
          drawn.push(canvas);
          if (preview.copy) compareWith(preview.copy.pixels, canvas);
        };
        box.replaceChildren(...findings(inspection, displayUrl, compare));
      } else
        box.replaceChildren(
          el('p', {
            className: 'facts',
            textContent: t('facts.file', { name: file.name, size: formatBytes(file.size) }),
          }),
          el('p', { className: 'note', textContent: failure ?? t('facts.notYet') }),
        );
    },
  );
}

type Drawn = Parameters<typeof embeddedPictures>[2];

function findings(result: InspectResult, displayUrl: string | null, drawn: Drawn): HTMLElement[] {
  const { format, bytes, frames, complete, blocks } = result;
  const values = valuesOf(result);
  const { width, height } = shownSize(result);
  const facts = el('p', {
    className: 'facts',
    textContent:
      // The size of a truncated file may be unknown.
      width === 0
        ? t('facts.file', { name: format.toUpperCase(), size: formatBytes(bytes) })
        : t('facts.image', { format: format.toUpperCase(), width, height, size: formatBytes(bytes) }),
  });
  const notices = [
    tellsPlace(result) &&
      el(
        'p',
        { className: 'warning' },
        el('strong', { textContent: t('reveal.where') }),
        ` ${t('reveal.anyone')}`,
      ),
    !complete && el('p', { className: 'warning', textContent: t('facts.cut') }),
    frames > 1 && el('p', { className: 'note', textContent: t('facts.frames', { count: frames }) }),
  ].filter((part) => part !== false);
  if (blocks.length === 0) return [facts, ...notices, el('p', { textContent: t('reveal.empty') })];
  const revealed = values ? revelations(values) : [];
  return [
    facts,
    ...notices,
    revealed.length > 0
      ? el(
          'dl',
          { className: 'revealed' },
          ...revealed.map((item) => revelation(item, result, displayUrl, drawn)),
        )
      : el('p', { textContent: t('said.nothing') }),
    values?.cut === true && el('p', { className: 'note', textContent: t('said.more') }),
    el(
      'details',
      { className: 'blocks' },
      el('summary', {
        textContent: t('reveal.blocks', { count: new Set(blocks.map(({ name }) => name)).size }),
      }),
      blockTable(blocks),
    ),
  ].filter((part) => part !== false);
}

/** One topic: its name, its sentences, and an illustration if there is one. */
function revelation(
  { topic, sentences }: Revelation,
  inspection: InspectResult,
  displayUrl: string | null,
  drawn: Drawn,
): HTMLElement {
  const said = sentences.map((textContent) => el('p', { textContent }));
  const values = topic === 'place' ? valuesOf(inspection) : undefined;
  const positions = values ? knownPositions(values) : [];
  return el(
    'div',
    {},
    el('dt', { textContent: t(`topic.${topic}`) }),
    el(
      'dd',
      {},
      ...said,
      positions.length > 0 && townNote(positions[0]!),
      positions.length > 0 && placeMap(positions, describePosition(positions[0]!)),
      ...(topic === 'thumbnails' ? embeddedPictures(inspection, displayUrl, drawn) : []),
    ),
  );
}

/** Which town a place is near, once the table of towns is loaded; until then the map shows the place. */
function townNote(place: GeoPoint): HTMLElement {
  const note = el('p', { className: 'town' });
  const write = ({ table }: typeof import('#towns')) => {
    const town = nearestTown(table, place);
    if (!town) return;
    const country = countryName(town.country);
    note.append(
      town.kilometres < NEARBY
        ? t('reveal.inTown', { town: town.name, country })
        : t('reveal.fromTown', { town: town.name, country, kilometres: Math.round(town.kilometres) }),
      el('span', { className: 'note', textContent: ` ${t('reveal.townsBy')}` }),
    );
  };
  void import('#towns').then(write).catch(() => undefined);
  return note;
}

function blockTable(blocks: InspectResult['blocks']): HTMLElement {
  const bytesOf = new Map<BlockName, number>();
  for (const { name, bytes } of blocks) bytesOf.set(name, (bytesOf.get(name) ?? 0) + bytes);
  const rows = [...bytesOf].map(([name, bytes]) => {
    const head = el(
      'th',
      { scope: 'row' },
      t(`block.${name}`),
      el('span', { className: 'reveals', textContent: t(`reveals.${name}`) }),
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
    {},
    el('caption', { className: 'unseen', textContent: t('blocks.caption') }),
    el(
      'thead',
      { className: 'unseen' },
      el(
        'tr',
        {},
        el('th', { scope: 'col', textContent: t('blocks.block') }),
        el('th', { scope: 'col', textContent: t('blocks.size') }),
      ),
    ),
    el('tbody', {}, ...rows),
  );
}
