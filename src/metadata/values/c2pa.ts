import { type Box, boxes } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';
import { joinWindows } from '../join.ts';
import type { Payload } from '../payloads.ts';
import { type Cbor, decodeCbor } from './cbor.ts';
import { MAX_CHARACTERS, MAX_LIST, type Manifest } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

/** Most bytes of a manifest store that are joined; large stores are large because of their thumbnails. */
const MAX_STORE = 8 << 20;
/** Latest start of the first box of a store: BMFF puts a purpose and an offset before it. */
const MAX_HEAD = 64;
/** Most manifests of a store; there is one per editing step. */
const MAX_MANIFESTS = 64;

/**
 * Reads a C2PA manifest store (C2PA specification 2.1, "Manifests" and "JUMBF"; ISO/IEC 19566-5): for each
 * manifest, who made the claim and which actions are asserted. Nothing is validated. Yields as scanners do.
 */
export function* readC2pa({ windows }: Payload, draft: ValuesDraft): Generator<number, void> {
  const joined = joinWindows(windows, MAX_STORE);
  if (joined === null) return;
  if (joined.cut) draft.cut = true;
  const store = joined.window;
  const type = store.findText('jumb', 0, Math.min(store.length, MAX_HEAD));
  if (type < 4) return;
  const manifests: Manifest[] = [];
  for (const outer of boxes(store, type - 4, store.length)) {
    for (const box of superboxes(store, outer, draft)) {
      if (store.meter.isDue) yield store.meter.pause();
      if (manifests.length >= MAX_MANIFESTS) draft.cut = true;
      else manifests.push(yield* manifest(store, box, draft));
    }
  }
  draft.provenance ??= { validated: false, manifests, block: 'c2pa', field: 'C2PA' };
}

/** The superboxes inside a superbox, after its description box. */
function* superboxes(store: Cursor, { body, end }: Box, draft: ValuesDraft): Generator<Box> {
  for (const box of boxes(store, body, end)) {
    if (!draft.structures(1)) return;
    if (box.type === 'jumb') yield box;
  }
}

/** The label of a superbox: ISO/IEC 19566-5 §A.3, 16 bytes of type, one of toggles, then the label. */
function labelOf(store: Cursor, { body, end }: Box): string {
  const label = body + 8 + 17;
  const stop = store.matches(body + 4, 'jumd') ? store.find(0, label, Math.min(end, label + 256)) : -1;
  return stop < 0 ? '' : store.text(label, stop, 256);
}

/** The contents of a superbox's content boxes. */
function* contentOf(store: Cursor, superbox: Box): Generator<number, Cbor> {
  for (const { type, body, end } of boxes(store, superbox.body, superbox.end)) {
    if (store.meter.isDue) yield store.meter.pause();
    if (type === 'cbor') return yield* decodeCbor(store.window(body, end));
  }
  return null;
}

function* manifest(store: Cursor, box: Box, draft: ValuesDraft): Generator<number, Manifest> {
  let generator = '';
  let title = '';
  const actions: Manifest['actions'][number][] = [];
  for (const part of superboxes(store, box, draft)) {
    if (store.meter.isDue) yield store.meter.pause();
    const label = labelOf(store, part);
    if (label.startsWith('c2pa.claim')) {
      const claim = yield* contentOf(store, part);
      generator ||= generatorOf(claim);
      title ||= text(member(claim, 'dc:title'));
    } else if (label === 'c2pa.assertions') {
      for (const assertion of superboxes(store, part, draft)) {
        if (store.meter.isDue) yield store.meter.pause();
        if (labelOf(store, assertion).startsWith('c2pa.actions')) {
          actions.push(...actionsOf(yield* contentOf(store, assertion)));
        }
      }
    }
  }
  return {
    label: labelOf(store, box),
    ...(generator && { generator }),
    ...(title && { title }),
    actions: actions.slice(0, MAX_LIST),
  };
}

/**
 * `claim_generator_info` is a map, or a list of maps, with a name and a version; `claim_generator` is a text.
 */
function generatorOf(claim: Cbor): string {
  const info = member(claim, 'claim_generator_info');
  const first = Array.isArray(info) ? (info[0] ?? null) : info;
  const named = [text(member(first, 'name')), text(member(first, 'version'))].filter(Boolean).join(' ');
  return named || text(member(claim, 'claim_generator'));
}

function actionsOf(assertion: Cbor): Manifest['actions'][number][] {
  const list = member(assertion, 'actions');
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_LIST).map((each: Cbor) => {
    const agent = member(each, 'softwareAgent');
    const software = text(agent) || text(member(agent, 'name'));
    const when = text(member(each, 'when'));
    const kind = text(member(each, 'digitalSourceType'));
    return {
      action: text(member(each, 'action')),
      ...(when && { when }),
      ...(software && { software }),
      ...(kind && { source_type: kind }),
    };
  });
}

const member = (value: Cbor, name: string): Cbor => (value instanceof Map ? (value.get(name) ?? null) : null);
const text = (value: Cbor): string => (typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : '');
