import type { CallFacts, DetectResult } from '../../client/index.ts';
import { outlineIn } from '../readable/outline.ts';
import { announce, byId } from './dom.ts';
import type { Engine, EngineName, EngineProgress } from './engine/engine.ts';
import { serviceEngine } from './engine/service_engine.ts';
import { tellsPlace } from './findings/revelations.ts';
import { type Size, shownSize, turnBack, turnedSize } from './geometry.ts';
import { removing, replacing, showing } from './photos/photo_list.ts';
import { convertHere } from './pictures/convert_here.ts';
import { cleanPhoto } from './result/clean_photo.ts';
import { errorMessageFrom } from './service/error_message.ts';
import { type Remedies, withRemedies } from './service/remedies.ts';
import type { CallKind, QueuedCall, RequestQueue } from './service/request_queue.ts';
import { describeFaces, describeVisible } from './settings/counts.ts';
import type { Face } from './settings/pixelation_plan.ts';
import { chosenKinds, inReadingOrder, isFace, joined, turnedFound } from './settings/things.ts';
import { displayedSize } from './stage/picture.ts';
import { displaysUpright } from './stage/upright_display.ts';
import { noEdits, type Photo, planOf, type Store } from './state.ts';
import { describeReport, describeResult, formatBytes, mainSentences } from './strings.ts';
import { t } from './texts.ts';

/** Detection always uses this confidence or a lower one, so that moving the slider needs no further call. */
const DETECTION_CONFIDENCE = 0.3;
/** Width in pixels of the engine's copy of a photo that the browser can't display. */
const PREVIEW_WIDTH = 1600;

/** The steps from a file to its result; each is one call of the engine. */
export class Controller {
  /** Resolves once it is known whether the browser can display the photo. */
  #displayed: Promise<void> = Promise.resolve();

  readonly #store: Store;
  readonly #queue: RequestQueue;
  readonly #device: Engine;

  constructor(store: Store, queue: RequestQueue, device: Engine) {
    this.#store = store;
    this.#queue = queue;
    this.#device = device;
    store.view(
      ({ settings: { plates, text, detectors } }) => [plates, text, detectors],
      () => this.detectThings(),
    );
  }

  /** Shows a photo of the list, and requests what is not yet known about it. */
  show(id: number): void {
    this.#queue.cancel();
    this.#store.update(showing(this.#store.state, id));
    const { photo, inspection, detectedFaces } = this.#store.state;
    if (!photo) return;
    this.#displayed = photo.displayUrl ? Promise.resolve() : this.#display(photo);
    if (!inspection) this.inspect();
    else if (!photo.displayUrl) void this.#displayed.then(() => this.#settleDisplay(photo.file));
    else if (!detectedFaces) this.detect(true);
    else this.detectThings();
  }

  /**
   * Selects the engine for future calls; running calls are cancelled. What is known about the photo is kept.
   */
  use(engine: EngineName): void {
    if (engine === this.#store.state.engine) return;
    this.#queue.cancel();
    this.#store.update({ engine, snippet: engine === 'device' ? 'library' : 'curl', errorMessage: null });
    // If a call costs nothing, what is not yet known is requested.
    if (!this.#usesService('inspect') && this.#store.state.photo && !this.#store.state.inspection)
      this.inspect();
  }

  /** Displays the file itself, if the browser can. */
  async #display(photo: Photo): Promise<void> {
    const url = URL.createObjectURL(photo.file);
    const size = await displayedSize(url);
    if (size && this.#store.state.photo?.file === photo.file) {
      this.#store.update({ photo: { ...photo, displayUrl: url, displayedBy: 'browser', size } });
    } else URL.revokeObjectURL(url);
  }

  inspect(): void {
    this.#submit('inspect', true, async (photo, signal) => {
      const ops = { values: true, thumbnails: true };
      const call = this.#engine('inspect').inspect(photo.file, ops, { signal, onProgress: this.#progress });
      // Both a success and a failure are handled differently if the browser displays the photo.
      const [outcome] = await Promise.allSettled([call, this.#displayed]);
      signal.throwIfAborted();
      if (outcome.status === 'rejected') throw outcome.reason;
      const { value: inspection, facts } = outcome.value;
      // A photo that a run could not clean keeps its failure, even if it can be inspected.
      const { hasRun, batch } = this.#store.state;
      const readable = hasRun || batch ? {} : this.#failure(null);
      this.#store.update({ inspection, errorMessage: null, ...readable });
      this.#settleDisplay(photo.file);
      const looked = t('looked.inside', {
        format: inspection.format.toUpperCase(),
        width: inspection.width,
        height: inspection.height,
        kinds: t('looked.kinds', { count: inspection.metadata_blocks_present.length }),
      });
      announce(tellsPlace(inspection) ? `${looked} ${t('looked.warning')}` : looked);
      return facts;
    });
  }

  /**
   * After inspect, when the true size is known: keeps the browser's display if it is upright like the
   * engine's, else requests a copy from the engine.
   */
  #settleDisplay(file: File): void {
    const { photo, inspection, settings } = this.#store.state;
    if (photo?.file !== file || !inspection) return;
    const size = shownSize(inspection);
    if (size.width === 0 || size.height === 0) return;
    const displayed = photo.size && turnedSize(photo.size, turnBack(settings.turn));
    if (displayed && displaysUpright(inspection, displayed, size)) {
      this.detect(true);
      return;
    }
    if (photo.displayUrl) URL.revokeObjectURL(photo.displayUrl);
    this.#store.update({ photo: { ...photo, displayUrl: null, displayedBy: null, size } });
    this.#store.updateSettings(noEdits);
    this.preview();
  }

  /** Displays a clean copy from the engine, for photos that this browser can't display. */
  preview(): void {
    this.#submit('preview', true, async (photo, signal) => {
      const ops = {
        pixelate: { faces: false },
        output: { quality: 85, maxWidth: PREVIEW_WIDTH },
      };
      const options = { signal, onProgress: this.#progress };
      const { value, facts } = await this.#engine('preview').sanitize(photo.file, ops, options);
      const current = this.#store.state.photo;
      if (current?.file === photo.file) {
        this.#store.update({
          photo: { ...current, displayUrl: URL.createObjectURL(value.image), displayedBy: 'engine' },
        });
        this.detect(true);
      }
      return facts;
    });
  }

  /** Looks for faces, and for the other kinds to be hidden. */
  detect(automatic = false): void {
    this.#submit('detect', automatic, async (photo, signal) => {
      const confidence = Math.min(DETECTION_CONFIDENCE, this.#store.state.settings.confidence);
      const facts = await this.#find(photo, confidence, signal);
      const { pixelation } = planOf(this.#store.state) ?? {};
      announce([describeFaces(this.#store.state), describeVisible(pixelation)].filter(Boolean).join(' '));
      this.detectThings();
      return facts;
    });
  }

  /** Looks for the other kinds to be hidden if they are not known yet but faces are. */
  detectThings(): void {
    const isOpen = () => this.#store.state.detectedFaces !== null && this.#openKinds().length > 0;
    if (!isOpen()) return;
    this.#submit('things', true, async (photo, signal) => {
      if (!isOpen()) return null;
      const facts = await this.#find(photo, null, signal);
      this.detectThings();
      return facts;
    });
  }

  /** The kinds to be hidden besides faces that were not looked for yet. */
  #openKinds(): string[] {
    const { settings, kindsLookedFor } = this.#store.state;
    return chosenKinds(settings).filter((kind) => !kindsLookedFor.includes(kind));
  }

  /** @param confidence of faces; null if they are already known */
  async #find(photo: Photo, confidence: number | null, signal: AbortSignal): Promise<CallFacts | null> {
    const sought = this.#openKinds();
    const ops = {
      kinds: [...(confidence === null ? [] : ['face']), ...sought],
      // Padding 1 gives tight boxes. The page pads them itself, so that the slider needs no further call.
      ...(confidence !== null && { confidence, padding: 1, belowConfidence: true }),
    };
    const options = { signal, onProgress: this.#progress };
    const { value, facts } = await this.#engine('detect').detect(photo.file, ops, options);
    // The engine does not know the person's turn, which may have changed meanwhile.
    const { detectedFaces, detectionConfidence, kindsLookedFor, settings } = this.#store.state;
    const found = <F extends DetectResult['faces'][number]>(box: F): F & Face =>
      turnedFound({ ...box, hidden: true }, value, settings.turn);
    const known = detectedFaces ?? [];
    // From left to right, so that they are numbered in that order.
    // Those that are known keep what was chosen for them.
    const all = [...value.faces, ...(value.belowConfidence ?? [])].map(found);
    const faces = joined(known.filter(isFace), all).toSorted((a, b) => a.x - b.x);
    const things = (value.boxes ?? []).map(({ detector, kind, corners, ...box }) => ({
      ...found({ ...box, ...(corners && { outline: outlineIn(box, corners) }) }),
      kind: detector ?? kind,
      ...(detector !== undefined && { called: kind }),
    }));
    this.#store.update({
      detectedFaces: [
        ...(confidence === null ? known : [...faces, ...known.filter((one) => !isFace(one))]),
        ...inReadingOrder(things),
      ],
      detectionConfidence: confidence ?? detectionConfidence,
      kindsLookedFor: [...kindsLookedFor, ...sought],
      errorMessage: null,
    });
    if (sought.length > 0) announce(t('things.found', { count: things.length }));
    return facts;
  }

  sanitize(): void {
    this.#submit('sanitize', false, async (photo, signal) => {
      const { settings, inspection } = this.#store.state;
      const result = await cleanPhoto(
        this.#engine('sanitize'),
        {
          file: photo.file,
          size: photo.size as Size,
          settings,
          source: inspection,
          known: this.#store.state,
        },
        { signal, onProgress: this.#progress },
      );
      this.#releaseResultUrl();
      this.#store.update({ result, view: 'result', errorMessage: null, ...this.#failure(null) });
      const { report, request } = result;
      const { main } = mainSentences(describeReport(report, request.pixelation));
      announce(
        t('result.announce', {
          title: describeResult(report, request.pixelation).replace(/\.$/, ''),
          width: report.width,
          height: report.height,
          size: formatBytes(report.bytes),
          said: main.map(({ text }) => text).join(' '),
        }),
      );
      // After the result was rendered: show it from its beginning, with the photo in view.
      setTimeout(() => {
        byId('result-title').focus({ preventScroll: true });
        byId('result').closest('.panel')?.scrollTo(0, 0);
        scrollTo(0, 0);
      }, 0);
      return result.facts;
    });
  }

  /** Replaces the photo by this browser's own copy, and continues with that. */
  convert(): void {
    this.#submit('convert', false, async (photo, signal) => {
      const file = await convertHere(photo.file);
      signal.throwIfAborted();
      const { currentId } = this.#store.state;
      if (currentId === null || photo !== this.#store.state.photo) return null;
      if (photo.displayUrl) URL.revokeObjectURL(photo.displayUrl);
      this.#store.update(replacing(this.#store.state, currentId, file));
      this.show(currentId);
      return null;
    });
  }

  #remedies(again: () => void): Remedies {
    return {
      convert: () => this.convert(),
      chooseAnother: () => byId('file').click(),
      useDevice: () => {
        this.use('device');
        again();
      },
      forgetKey: () => byId('key-forget').click(),
      removePhoto: () => byId('remove-photo').click(),
      changeSettings: (change) => {
        this.#store.updateSettings(change);
        again();
      },
    };
  }

  /**
   * Without a key, the service's one call per minute is kept for cleaning, and this device inspects the
   * photo.
   */
  #usesService(kind: CallKind): boolean {
    const { engine, apiKey } = this.#store.state;
    return engine === 'service' && kind !== 'convert' && (kind === 'sanitize' || apiKey !== null);
  }

  #engine(kind: CallKind): Engine {
    return this.#usesService(kind) ? serviceEngine(this.#store.state.apiKey) : this.#device;
  }

  readonly #progress = (progress: EngineProgress) => this.#queue.reportProgress(progress);

  #submit(
    kind: CallKind,
    automatic: boolean,
    call: (photo: Photo, signal: AbortSignal) => Promise<CallFacts | null>,
  ): void {
    const { photo } = this.#store.state;
    if (!photo) return;
    const queued: QueuedCall = {
      kind,
      automatic,
      metered: this.#usesService(kind),
      run: (signal) => call(this.#store.state.photo ?? photo, signal),
      failed: (error) => {
        // The person requests a retry, so it is not automatic.
        const retry = () => this.#submit(kind, false, call);
        const remedies = this.#remedies(() => this.#submit(kind, false, call));
        const errorMessage = withRemedies(errorMessageFrom(error, retry), error, this.#store.state, remedies);
        const { photo: current, photos, currentId } = this.#store.state;
        this.#store.update({ errorMessage, ...this.#failure(errorMessage.title) });
        const isUnusable = kind === 'inspect' && !errorMessage.retry && !current?.displayUrl;
        if (!isUnusable || currentId === null || photos.length > 1) return;
        this.#store.update(removing(this.#store.state, currentId));
      },
    };
    this.#queue.submit(queued);
  }

  /** The state change that records why the shown photo could not be read or cleaned, or that it could. */
  #failure(failure: string | null) {
    const { photos, currentId } = this.#store.state;
    return { photos: photos.map((listed) => (listed.id === currentId ? { ...listed, failure } : listed)) };
  }

  #releaseResultUrl(): void {
    const { result } = this.#store.state;
    if (result) URL.revokeObjectURL(result.url);
  }
}
