import type { CallFacts, UploadProgress } from '../../client/index.ts';
import { clientFor } from './account.ts';
import { announce, byId } from './dom.ts';
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
/** Width in pixels of the service's copy of a photo that the browser can't display. */
const PREVIEW_WIDTH = 1600;

/** The steps from a file to its result; each is one metered call. */
export class Controller {
  /** Resolves once it is known whether the browser can display the photo. */
  #displayed: Promise<void> = Promise.resolve();

  readonly #store: Store;
  readonly #queue: RequestQueue;

  constructor(store: Store, queue: RequestQueue) {
    this.#store = store;
    this.#queue = queue;
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
    const { settings, apiKey, snippet } = this.#store.state;
    const photo: Photo = { file, displayUrl: null, displayedBy: null, size: null };
    this.#store.update({
      ...emptyState,
      settings: { ...settings, regions: [], crop: null },
      apiKey,
      snippet,
      photo,
    });
    announce(`${file.name} is being looked at.`);
    byId('main').focus({ preventScroll: true });
    this.#displayed = this.#display(photo);
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
      const call = this.#client().inspect(photo.file, {
        signal,
        onProgress: this.#progress,
        ops: { values: true, thumbnails: true },
      });
      // Both a success and a failure are handled differently if the browser displays the photo.
      const [outcome] = await Promise.allSettled([call, this.#displayed]);
      signal.throwIfAborted();
      if (outcome.status === 'rejected') throw outcome.reason;
      const inspection = outcome.value;
      this.#store.update({ inspection, errorMessage: null });
      this.#settleDisplay();
      const kinds = pluralize(inspection.metadata_blocks_present.length, 'kind', 'kinds');
      announce(
        `${inspection.format.toUpperCase()}, ${inspection.width} by ${inspection.height} pixels, ${kinds} of metadata.${inspection.has_gps ? ' Warning: it says where it was taken.' : ''}`,
      );
      return inspection.facts;
    });
  }

  /**
   * After inspect, when the true size is known: keeps the browser's display if it is upright like the
   * service's, else requests a copy from the service.
   */
  #settleDisplay(): void {
    const { photo, inspection } = this.#store.state;
    if (!photo || !inspection) return;
    const size = uprightSize(inspection, inspection.orientation);
    if (size.width === 0 || size.height === 0) return;
    if (photo.size && displaysUpright(inspection, photo.size, size)) {
      if (this.#store.state.apiKey) this.detect(true);
      return;
    }
    if (photo.displayUrl) URL.revokeObjectURL(photo.displayUrl);
    this.#store.update({ photo: { ...photo, displayUrl: null, displayedBy: null, size } });
    this.#store.updateSettings({ regions: [], crop: null });
    this.preview();
  }

  /** Displays a clean copy from the service, for photos that this browser can't display. */
  preview(): void {
    this.#submit('preview', true, async (photo, signal) => {
      const ops = {
        pixelate: { faces: false },
        output: { quality: 85, maxWidth: PREVIEW_WIDTH },
      };
      const options = { signal, onProgress: this.#progress };
      const { image, facts } = await this.#client().sanitize(photo.file, ops, options);
      const current = this.#store.state.photo;
      if (current?.file === photo.file) {
        this.#store.update({
          photo: { ...current, displayUrl: URL.createObjectURL(image), displayedBy: 'service' },
        });
        if (this.#store.state.apiKey) this.detect(true);
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
      const { faces, belowConfidence, facts } = await this.#client().detect(photo.file, ops, options);
      // From left to right, so that they are numbered as they are seen.
      const detectedFaces = [...faces, ...(belowConfidence ?? [])]
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
      const { settings, detectedFaces } = this.#store.state;
      const request = planRequest(settings, detectedFaces ?? [], photo.size as Size);
      const options = { signal, onProgress: this.#progress };
      const { image, report, facts } = await this.#client().sanitizeWithReport(
        photo.file,
        request.ops,
        options,
      );
      this.#releaseResultUrl();
      this.#store.update({
        result: {
          url: URL.createObjectURL(image),
          name: cleanName(photo.file.name, settings.format),
          report,
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

  #client() {
    return clientFor(this.#store.state.apiKey);
  }

  readonly #progress = ({ sent, total }: UploadProgress) => this.#queue.reportProgress(sent, total);

  #submit(
    kind: JobKind,
    automatic: boolean,
    call: (photo: Photo, signal: AbortSignal) => Promise<CallFacts>,
  ): void {
    const { photo } = this.#store.state;
    if (!photo) return;
    const job: Job = {
      kind,
      automatic,
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
