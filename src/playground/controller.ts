import type { CallFacts } from '../../client/index.ts';
import { announce, byId } from './dom.ts';
import type { Engine, EngineName, EngineProgress } from './engine/engine.ts';
import { serviceEngine } from './engine/service_engine.ts';
import { errorMessageFrom } from './error_messages.ts';
import { type Size, uprightSize } from './geometry.ts';
import { planRequest } from './ops.ts';
import { displayedSize } from './picture.ts';
import { confidentFaces } from './pixelation_plan.ts';
import type { Job, JobKind, RequestQueue } from './request_queue.ts';
import { emptyState, type Photo, type Store } from './state.ts';
import { errorTexts, formatBytes, pluralize } from './strings.ts';
import { displaysUpright } from './upright_display.ts';

/** The service's limit on an upload, in bytes. */
const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;
/** Detection runs at this confidence or lower, so that moving the slider needs no further call. */
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
  }

  /** Replaces the current photo, displays it if the browser can, and inspects it. */
  accept(file: File): void {
    if (file.size > MAX_UPLOAD_BYTES || file.size === 0) {
      const { title, advice } = errorTexts.payload_too_large;
      const isEmpty = file.size === 0;
      const message = isEmpty ? 'It holds no bytes.' : `It has ${formatBytes(file.size)}.`;
      this.#store.update({
        errorMessage: isEmpty
          ? { title: 'The file is empty', message, advice: 'Choose another one.' }
          : { title, message, advice },
      });
      return;
    }
    this.#queue.cancel();
    this.#releaseUrls();
    const { settings, engine, apiKey, snippet } = this.#store.state;
    const photo: Photo = { file, displayUrl: null, displayedBy: null, size: null };
    this.#store.update({
      ...emptyState,
      settings: { ...settings, regions: [], crop: null },
      engine,
      apiKey,
      snippet,
      photo,
    });
    announce(`${file.name} is being looked at.`);
    byId('main').focus({ preventScroll: true });
    this.#displayed = this.#display(photo);
    this.inspect();
  }

  /** Who does the calls from now on; calls under way end. What is known of the photo stays. */
  use(engine: EngineName): void {
    if (engine === this.#store.state.engine) return;
    this.#queue.cancel();
    this.#store.update({ engine, snippet: engine === 'device' ? 'library' : 'curl', errorMessage: null });
    // On this device a call costs nothing, so what is not known yet is looked up.
    if (engine === 'device' && this.#store.state.photo && !this.#store.state.inspection) this.inspect();
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
      const call = this.#engine().inspect(photo.file, ops, { signal, onProgress: this.#progress });
      // Both a success and a failure are handled differently if the browser displays the photo.
      const [outcome] = await Promise.allSettled([call, this.#displayed]);
      signal.throwIfAborted();
      if (outcome.status === 'rejected') throw outcome.reason;
      const { value: inspection, facts } = outcome.value;
      this.#store.update({ inspection, errorMessage: null });
      this.#settleDisplay();
      const kinds = pluralize(inspection.metadata_blocks_present.length, 'kind', 'kinds');
      announce(
        `${inspection.format.toUpperCase()}, ${inspection.width} by ${inspection.height} pixels, ${kinds} of metadata.${inspection.has_gps ? ' Warning: it says where it was taken.' : ''}`,
      );
      return facts;
    });
  }

  /**
   * After inspect, when the true size is known: keeps the browser's display if it is upright like the
   * engine's, else requests a copy from the engine.
   */
  #settleDisplay(): void {
    const { photo, inspection } = this.#store.state;
    if (!photo || !inspection) return;
    const size = uprightSize(inspection, inspection.orientation);
    if (size.width === 0 || size.height === 0) return;
    if (photo.size && displaysUpright(inspection, photo.size, size)) {
      this.#detectIfFree();
      return;
    }
    if (photo.displayUrl) URL.revokeObjectURL(photo.displayUrl);
    this.#store.update({ photo: { ...photo, displayUrl: null, displayedBy: null, size } });
    this.#store.updateSettings({ regions: [], crop: null });
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
      const { value, facts } = await this.#engine().sanitize(photo.file, ops, options);
      const current = this.#store.state.photo;
      if (current?.file === photo.file) {
        this.#store.update({
          photo: { ...current, displayUrl: URL.createObjectURL(value.image), displayedBy: 'engine' },
        });
        this.#detectIfFree();
      }
      return facts;
    });
  }

  detect(automatic = false): void {
    this.#submit('detect', automatic, async (photo, signal) => {
      const confidence = Math.min(DETECTION_CONFIDENCE, this.#store.state.settings.confidence);
      // Padding 1 gives tight boxes. The page pads them itself, so that the slider needs no further call.
      const options = { signal, onProgress: this.#progress };
      const ops = { confidence, padding: 1, belowConfidence: true };
      const { value, facts } = await this.#engine().detect(photo.file, ops, options);
      // From left to right, so that they are numbered as they are seen.
      const detectedFaces = [...value.faces, ...(value.belowConfidence ?? [])]
        .toSorted((a, b) => a.x - b.x)
        .map((face) => ({ ...face, hidden: true }));
      this.#store.update({ detectedFaces, detectionConfidence: confidence, errorMessage: null });
      const shown = confidentFaces(detectedFaces, this.#store.state.settings.confidence);
      announce(`${pluralize(shown.length, 'face')} found.`);
      return facts;
    });
  }

  sanitize(): void {
    this.#submit('sanitize', false, async (photo, signal) => {
      const { settings, detectedFaces, engine } = this.#store.state;
      const request = planRequest(settings, detectedFaces ?? [], photo.size as Size);
      const options = { signal, onProgress: this.#progress };
      const { value, facts } = await this.#engine().sanitize(photo.file, request.ops, options);
      const { image, report } = value;
      this.#releaseResultUrl();
      this.#store.update({
        result: {
          url: URL.createObjectURL(image),
          name: cleanName(photo.file.name, settings.format),
          report,
          engine,
          facts,
          request,
          sourceBytes: photo.file.size,
        },
        view: 'result',
        errorMessage: null,
      });
      announce(
        `The photo is clean: ${report.width} by ${report.height} pixels, ${formatBytes(report.bytes)}, ${pluralize(report.facesDetected, 'face')} found, ${pluralize(report.regionsPixelated, 'region')} pixelated.`,
      );
      // After the result has been rendered.
      setTimeout(() => byId('result-title').focus(), 0);
      return facts;
    });
  }

  #engine(): Engine {
    const { engine, apiKey } = this.#store.state;
    return engine === 'device' ? this.#device : serviceEngine(apiKey);
  }

  /** Without a key the service's only call of the minute is kept for what the person asks for. */
  #detectIfFree(): void {
    const { engine, apiKey } = this.#store.state;
    if (engine === 'device' || apiKey) this.detect(true);
  }

  readonly #progress = (progress: EngineProgress) => this.#queue.reportProgress(progress);

  #submit(
    kind: JobKind,
    automatic: boolean,
    call: (photo: Photo, signal: AbortSignal) => Promise<CallFacts | null>,
  ): void {
    const { photo } = this.#store.state;
    if (!photo) return;
    const job: Job = {
      kind,
      automatic,
      metered: this.#store.state.engine === 'service',
      run: (signal) => call(this.#store.state.photo ?? photo, signal),
      failed: (error) => {
        // A retry is requested by the person, so it is not automatic.
        const retry = () => this.#submit(kind, false, call);
        const errorMessage = errorMessageFrom(error, retry);
        const isUnusable = kind === 'inspect' && !errorMessage.retry && !this.#store.state.photo?.displayUrl;
        if (isUnusable) this.#releaseUrls();
        this.#store.update({ errorMessage, ...(isUnusable && { photo: null }) });
      },
    };
    this.#queue.submit(job);
  }

  #releaseResultUrl(): void {
    const { result } = this.#store.state;
    if (result) URL.revokeObjectURL(result.url);
  }

  #releaseUrls(): void {
    this.#releaseResultUrl();
    const { photo } = this.#store.state;
    if (photo?.displayUrl) URL.revokeObjectURL(photo.displayUrl);
  }
}

/** The name of the clean file: "holiday.heic.jpg" → "holiday.heic-clean.png". */
function cleanName(name: string, format: 'jpeg' | 'png' | 'webp'): string {
  const stem = name.replace(/\.[^.]*$/, '') || 'photo';
  return `${stem}-clean.${format === 'jpeg' ? 'jpg' : format}`;
}
