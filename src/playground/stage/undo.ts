import { announce, byId } from '../dom.ts';
import type { Face } from '../settings/pixelation_plan.ts';
import { type PageSettings, photoEditsOf, type State, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { History } from './history.ts';
import { turnedTo } from './turned_places.ts';

/** What can be undone: changes of settings and boxes, and choices among the faces found. */
interface Edits {
  readonly settings: PageSettings;
  readonly choices: readonly Pick<Face, 'hidden' | 'isAdded' | 'fill'>[];
}

const editsOf = ({ settings, detectedFaces }: State): Edits => ({
  settings,
  choices: (detectedFaces ?? []).map(({ hidden, isAdded, fill }) => ({
    hidden,
    ...(isAdded && { isAdded }),
    ...(fill && { fill }),
  })),
});

/** The faces with these choices; unchanged if the choices belong to other faces. */
function withChoices(faces: readonly Face[] | null, { choices }: Edits): readonly Face[] | null {
  if (!faces || faces.length !== choices.length) return faces;
  return faces.map(({ isAdded: _, fill: __, ...face }, index) => ({ ...face, ...choices[index]! }));
}

/** The step, extended by the choices about findings that it does not know yet. */
const withAdded = (step: Edits, { choices }: Edits): Edits => ({
  ...step,
  choices: [...step.choices, ...choices.slice(step.choices.length)],
});

/** The step with the current shared settings: changes made on another photo are not undone. */
function withShared(step: Edits, { settings }: Edits): Edits {
  return { ...step, settings: { ...settings, ...photoEditsOf(step.settings) } };
}

/** What a change between two states concerns: the names of settings, the moved region. */
function kindOf(from: Edits, to: Edits): string | null {
  const names = Object.keys(to.settings) as (keyof PageSettings)[];
  const changed = names.filter((name) => from.settings[name] !== to.settings[name]);
  // Every turn is a step of its own.
  if (from.settings.turn !== to.settings.turn) return null;
  if (from.settings.regions.length !== to.settings.regions.length) return null;
  if ((from.settings.crop === null) !== (to.settings.crop === null)) return null;
  // A choice among faces is always a step of its own.
  if (changed.length === 0) return null;
  const region = to.settings.regions.find((box, index) => box !== from.settings.regions[index]);
  return `${changed.join()} ${region?.id ?? ''}`;
}

/** Undo and redo for each photo separately, by buttons and keys. */
export function showUndo(store: Store): void {
  const undo = byId<HTMLButtonElement>('undo');
  const redo = byId<HTMLButtonElement>('redo');
  const histories = new WeakMap<File, History<Edits>>();
  let drag: number | null = null;
  let lastDrag = 0;
  let lastFaces: readonly Face[] | null = null;
  let lastFile: File | null = null;

  // All changes while a button is held down are one step: drags on the photo and of sliders.
  document.addEventListener(
    'pointerdown',
    () => {
      lastDrag++;
      drag = lastDrag;
    },
    true,
  );
  for (const type of ['pointerup', 'pointercancel']) {
    document.addEventListener(type, () => queueMicrotask(() => (drag = null)), true);
  }

  store.subscribe(() => {
    const { photo, detectedFaces, view } = store.state;
    undo.hidden = redo.hidden = view === 'result';
    if (!photo) return;
    const edits = editsOf(store.state);
    let history = histories.get(photo.file);
    if (!history) {
      history = new History(edits);
      histories.set(photo.file, history);
    }
    // New findings, or showing another photo, are not edits.
    const isFound = detectedFaces?.length !== lastFaces?.length;
    const isAdded = lastFaces?.every((face, index) => face === detectedFaces?.[index]);
    if (photo.file !== lastFile) history.amend(edits, (step) => withShared(step, edits));
    else if (isFound) history.amend(edits, (step) => (isAdded ? withAdded(step, edits) : step));
    else history.record(edits, { kind: kindOf(history.current, edits), drag, now: performance.now() });
    lastFaces = detectedFaces;
    lastFile = photo.file;
    undo.disabled = !history.canUndo;
    redo.disabled = !history.canRedo;
  });

  const go = (direction: 'undo' | 'redo') => {
    const { photo, view } = store.state;
    const history = photo && histories.get(photo.file);
    if (!history || view === 'result') return;
    const edits = history[direction]();
    if (!edits) return;
    const turned = turnedTo(store.state, edits.settings.turn);
    store.update({
      ...turned,
      settings: edits.settings,
      detectedFaces: withChoices(turned.detectedFaces, edits),
    });
    announce(t(direction === 'undo' ? 'undo.undone' : 'undo.redone'));
  };
  undo.addEventListener('click', () => go('undo'));
  redo.addEventListener('click', () => go('redo'));

  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isTyping =
      event.target instanceof Element &&
      event.target.matches('input:not([type="range"]):not([type="checkbox"])');
    const key = event.key.toLowerCase();
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
    if (isTyping || (key !== 'z' && key !== 'y')) return;
    event.preventDefault();
    go(isRedo ? 'redo' : 'undo');
  });
}
