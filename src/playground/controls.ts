import { byId, setPressed, setText } from './dom.ts';
import { planRequest } from './ops.ts';
import { confidentFaces } from './pixelation_plan.ts';
import type { State, Store } from './state.ts';
import { pluralize } from './strings.ts';

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Each slider's setting, and how its value is displayed. */
const sliderTexts = {
  strength: (value: number) => `${value} % of the short side`,
  confidence: percent,
  padding: (value: number) => `${value.toFixed(1)} ×`,
  quality: (value: number) => String(value),
} as const;

const toolHints = {
  move: 'Two fingers zoom, a double tap too. Tap a face to leave it as it is; choose Hide to draw.',
  hide: 'Drag on the photo to hide a part of it. Click a face to leave it as it is.',
  crop: 'Drag on the photo to keep only that part of it.',
} as const;

/** The controls of the settings: sliders, check boxes and fields. */
export function showControls(store: Store): void {
  for (const [name, textOf] of Object.entries(sliderTexts) as [
    keyof typeof sliderTexts,
    (value: number) => string,
  ][]) {
    const input = byId<HTMLInputElement>(name);
    input.addEventListener('input', () => store.updateSettings({ [name]: Number(input.value) }));
    store.subscribe(() => {
      const value = store.state.settings[name];
      if (Number(input.value) !== value) input.value = String(value);
      setText(byId(`${name}-value`), textOf(value));
      input.setAttribute('aria-valuetext', textOf(value));
    });
  }
  const faces = byId<HTMLInputElement>('faces');
  const grayscale = byId<HTMLInputElement>('grayscale');
  const format = byId<HTMLSelectElement>('format');
  const maxWidth = byId<HTMLInputElement>('max-width');
  faces.addEventListener('change', () => store.updateSettings({ faces: faces.checked }));
  grayscale.addEventListener('change', () => store.updateSettings({ grayscale: grayscale.checked }));
  format.addEventListener('change', () =>
    store.updateSettings({ format: format.value as State['settings']['format'] }),
  );
  maxWidth.addEventListener('input', () => {
    const isValid = maxWidth.value !== '' && maxWidth.validity.valid;
    store.updateSettings({ maxWidth: isValid ? Number(maxWidth.value) : undefined });
  });

  store.subscribe(() => {
    const { settings, tool, photo, detectedFaces, detectionConfidence } = store.state;
    faces.checked = settings.faces;
    grayscale.checked = settings.grayscale;
    format.value = settings.format;
    setPressed(byId('tools'), 'tool', tool);
    byId('add-region').textContent = tool === 'crop' ? 'Add crop' : 'Add region';
    setText(byId('hint'), toolHints[tool]);
    byId<HTMLInputElement>('confidence').disabled = !settings.faces;
    byId<HTMLInputElement>('padding').disabled = !settings.faces;
    setText(byId('faces-found'), describeFaces(store.state));
    const detect = byId('detect');
    const isDetected = detectedFaces !== null && settings.confidence >= detectionConfidence;
    detect.hidden = !settings.faces || isDetected || !photo;
    const size = photo?.size;
    const { output } = size ? planRequest(settings, detectedFaces ?? [], size).target : { output: null };
    setText(
      byId('output-size'),
      output ? `The result will be ${output.width} × ${output.height} pixels.` : '',
    );
  });
}

function describeFaces({ settings, detectedFaces }: State): string {
  if (!settings.faces) return 'Faces are left as they are.';
  if (detectedFaces === null)
    return 'They are found and hidden when the photo is cleaned. Find them first to choose among them.';
  const shown = confidentFaces(detectedFaces, settings.confidence);
  const hidden = shown.filter((face) => face.hidden).length;
  if (shown.length === 0) return 'No faces found. Detection can miss some: draw over what it missed.';
  if (hidden === shown.length) return `${pluralize(shown.length, 'face')} found, all hidden.`;
  const left = shown.length - hidden;
  return `${pluralize(shown.length, 'face')} found, ${hidden} hidden, ${left} left as ${left === 1 ? 'it is' : 'they are'}.`;
}
