import { byId, press, setText } from './dom.ts';
import { shownFaces } from './hiding.ts';
import { orderFor } from './ops.ts';
import type { State, Store } from './state.ts';
import { counted } from './strings.ts';

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Sliders: what they set, and how their value reads. */
const sliders = {
  strength: (value: number) => `${value} % of the short side`,
  confidence: percent,
  padding: (value: number) => `${value.toFixed(1)} ×`,
  quality: (value: number) => String(value),
} as const;

/** Sliders, boxes and fields of the settings. */
export function showControls(store: Store): void {
  for (const [name, words] of Object.entries(sliders) as [
    keyof typeof sliders,
    (value: number) => string,
  ][]) {
    const input = byId<HTMLInputElement>(name);
    input.addEventListener('input', () => store.set({ [name]: Number(input.value) }));
    store.view(() => {
      const value = store.state.settings[name];
      if (Number(input.value) !== value) input.value = String(value);
      setText(byId(`${name}-value`), words(value));
      input.setAttribute('aria-valuetext', words(value));
    });
  }
  const faces = byId<HTMLInputElement>('faces');
  const grayscale = byId<HTMLInputElement>('grayscale');
  const format = byId<HTMLSelectElement>('format');
  const maxWidth = byId<HTMLInputElement>('max-width');
  faces.addEventListener('change', () => store.set({ faces: faces.checked }));
  grayscale.addEventListener('change', () => store.set({ grayscale: grayscale.checked }));
  format.addEventListener('change', () => store.set({ format: format.value as State['settings']['format'] }));
  maxWidth.addEventListener('input', () => {
    const isFine = maxWidth.value !== '' && maxWidth.validity.valid;
    store.set({ maxWidth: isFine ? Number(maxWidth.value) : undefined });
  });

  store.view(() => {
    const { settings, tool, photo, found, foundDownTo } = store.state;
    faces.checked = settings.faces;
    grayscale.checked = settings.grayscale;
    format.value = settings.format;
    byId('quality-row').hidden = settings.format === 'png';
    press(byId('tools'), 'tool', tool);
    byId('add-region').textContent = tool === 'crop' ? 'Add crop' : 'Add region';
    setText(
      byId('hint'),
      tool === 'crop'
        ? 'Drag on the photo to keep only that part of it.'
        : 'Drag on the photo to hide a part of it. Click a face to leave it as it is.',
    );
    byId<HTMLInputElement>('confidence').disabled = !settings.faces;
    byId<HTMLInputElement>('padding').disabled = !settings.faces;
    setText(byId('faces-found'), facesInWords(store.state));
    const detect = byId('detect');
    const isFine = found !== null && settings.confidence >= foundDownTo;
    detect.hidden = !settings.faces || isFine || !photo;
    const size = photo?.frame;
    const { output } = size ? orderFor(settings, found ?? [], size).target : { output: null };
    setText(
      byId('output-size'),
      output ? `The result will be ${output.width} × ${output.height} pixels.` : '',
    );
  });
}

function facesInWords({ settings, found }: State): string {
  if (!settings.faces) return 'Faces are left as they are.';
  if (found === null)
    return 'They are found and hidden when the photo is cleaned. Find them first to choose among them.';
  const shown = shownFaces({ found, confidence: settings.confidence });
  const hidden = shown.filter((face) => face.hidden).length;
  if (shown.length === 0) return 'No faces found. Detection can miss some: draw over what it missed.';
  if (hidden === shown.length) return `${counted(shown.length, 'face')} found, all hidden.`;
  const left = shown.length - hidden;
  return `${counted(shown.length, 'face')} found, ${hidden} hidden, ${left} left as ${left === 1 ? 'it is' : 'they are'}.`;
}
