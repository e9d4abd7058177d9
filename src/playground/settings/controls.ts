import { byId, setPressed, setText } from '../dom.ts';
import { planOf, type State, type Store } from '../state.ts';
import { formatNumber, t } from '../texts.ts';
import { describeFaces, describeThings, describeVisible } from './counts.ts';
import { showOfferedDetectors } from './offered_detectors.ts';
import { defaultSettings } from './ops.ts';
import { outputQuality } from './output_format.ts';

/** Block edge in per cent of the short side from which the strength is called strong. */
const STRONG = 6;

/** Each slider's setting, and how its value is displayed. */
const sliderTexts = {
  strength: (value: number) => t('strength.value', { value }),
  confidence: (value: number) => t('confidence.value', { percent: Math.round(value * 100) }),
  padding: (value: number) => t('padding.value', { factor: formatNumber(value, 1) }),
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
  showQuality(store);
  showOfferedDetectors(store);
  const faces = byId<HTMLInputElement>('faces');
  const plates = byId<HTMLInputElement>('plates');
  const text = byId<HTMLInputElement>('text');
  const faceFill = byId<HTMLSelectElement>('face-fill');
  const keepNames = byId<HTMLInputElement>('keep-names');
  const grayscale = byId<HTMLInputElement>('grayscale');
  const format = byId<HTMLSelectElement>('format');
  const maxWidth = byId<HTMLInputElement>('max-width');
  faces.addEventListener('change', () => store.updateSettings({ faces: faces.checked }));
  plates.addEventListener('change', () => store.updateSettings({ plates: plates.checked }));
  text.addEventListener('change', () => store.updateSettings({ text: text.checked }));
  faceFill.addEventListener('change', () =>
    store.updateSettings(
      faceFill.value === 'solid'
        ? { faceFill: 'solid' }
        : { faceFill: 'mosaic', strength: faceFill.value === 'strong' ? STRONG : defaultSettings.strength },
    ),
  );
  keepNames.addEventListener('change', () => {
    if (!keepNames.checked) return store.update({ nameRule: null });
    // Needed only if names are kept.
    return void import('../../safe_name.ts').then(
      ({ safeName }) => keepNames.checked && store.update({ nameRule: safeName }),
      () => {
        keepNames.checked = false;
      },
    );
  });
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
    plates.checked = settings.plates;
    text.checked = settings.text;
    faceFill.value =
      settings.faceFill === 'solid' ? 'solid' : settings.strength < STRONG ? 'light' : 'strong';
    faceFill.disabled = !settings.faces;
    grayscale.checked = settings.grayscale;
    format.value = settings.format;
    setPressed(byId('tools'), 'tool', tool);
    setText(byId('add-region'), t(tool === 'crop' ? 'crop.add' : 'region.add'));
    setText(byId('hint'), t(store.state.view === 'result' ? 'hint.result' : `hint.${tool}`));
    byId<HTMLInputElement>('confidence').disabled = !settings.faces;
    byId<HTMLInputElement>('padding').disabled = !settings.faces;
    const plan = planOf(store.state);
    setText(byId('faces-found'), describeFaces(store.state));
    setText(byId('faces-visible'), describeVisible(plan?.pixelation));
    setText(byId('things-found'), describeThings(store.state));
    const detect = byId('detect');
    const isDetected = detectedFaces !== null && settings.confidence >= detectionConfidence;
    // Without an inspected file there is nothing to look for faces in.
    const { inspection, photos, currentId } = store.state;
    const isUnread =
      inspection === null && photos.some(({ id, failure }) => id === currentId && failure !== null);
    detect.hidden = !settings.faces || isDetected || !photo || isUnread;
    setText(byId('output-size'), plan ? t('keep.size', plan.target.output) : '');
  });
}

/** The quality follows the photo until the slider is moved, and again on request. */
function showQuality(store: Store): void {
  const input = byId<HTMLInputElement>('quality');
  const byPhoto = byId('quality-by-photo');
  input.addEventListener('input', () => store.updateSettings({ quality: Number(input.value) }));
  byPhoto.addEventListener('click', () => {
    store.updateSettings({ quality: 'auto' });
    input.focus();
  });
  store.subscribe(() => {
    const { settings, inspection } = store.state;
    const value = outputQuality(settings.quality, inspection);
    const isByPhoto = settings.quality === 'auto';
    const text = t(isByPhoto && inspection ? 'quality.auto' : 'quality.value', { value });
    if (Number(input.value) !== value) input.value = String(value);
    setText(byId('quality-value'), text);
    input.setAttribute('aria-valuetext', text);
    byPhoto.hidden = isByPhoto;
  });
}
