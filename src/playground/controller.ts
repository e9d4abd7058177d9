import type { CallFacts } from '../../client/index.ts';
import { clientFor } from './account.ts';
import { announce, byId } from './dom.ts';
import { troubleFrom } from './error_messages.ts';
import { type Size, uprightSize } from './geometry.ts';
import { orderFor } from './ops.ts';
import { sizeShown } from './picture.ts';
import type { Desk, Job, JobKind } from './request_queue.ts';
import { showable } from './showable.ts';
import { emptyState, type Photo, type Store } from './state.ts';
import { bytesInWords, counted, troubles } from './strings.ts';

/** The service's limit on an upload. */
const MAX_UPLOAD = 25 * 1024 * 1024;
/** Faces are looked for down to this confidence, so that moving the slider needs no further call. */
const LOOK_DOWN_TO = 0.3;
/** Width of the service's copy of a photo that the browser can't show. */
const PREVIEW_WIDTH = 1600;

/** What happens from a file to its result, one metered call a step. */
export class Flow {
  readonly #store: Store;
  readonly #desk: Desk;
  /** Settled once it is clear whether the browser shows the photo. */
  #shown: Promise<void> = Promise.resolve();

  constructor(store: Store, desk: Desk) {
    this.#store = store;
    this.#desk = desk;
  }

  /** A new photo: forgets the one before, shows it if the browser can, and looks inside. */
  accept(file: File): void {
    if (file.size > MAX_UPLOAD || file.size === 0) {
      const { title, advice } = troubles.payload_too_large;
      const isEmpty = file.size === 0;
      const message = isEmpty ? 'It holds no bytes.' : `It has ${bytesInWords(file.size)}.`;
      this.#store.update({
        trouble: isEmpty
          ? { title: 'The file is empty', message, advice: 'Choose another one.' }
          : { title, message, advice },
      });
      return;
    }
    this.#desk.cancel();
    this.#forget();
    const { settings, key, snippet } = this.#store.state;
    const photo: Photo = { file, shown: null, shownBy: null, frame: null };
    this.#store.update({
      ...emptyState,
      settings: { ...settings, regions: [], crop: null },
      key,
      snippet,
      photo,
    });
    announce(`${file.name} is being looked at.`);
    byId('main').focus({ preventScroll: true });
    this.#shown = this.#show(photo);
    this.inspect();
  }

  /** Shows the file itself, if the browser can. */
  async #show(photo: Photo): Promise<void> {
    const address = URL.createObjectURL(photo.file);
    const frame = await sizeShown(address);
    if (frame && this.#store.state.photo?.file === photo.file) {
      this.#store.update({ photo: { ...photo, shown: address, shownBy: 'browser', frame } });
    } else URL.revokeObjectURL(address);
  }

  inspect(): void {
    this.#request('inspect', true, async (photo, signal) => {
      const asked = this.#client().inspect(photo.file, { signal, onProgress: this.#progress });
      // Whatever the answer is, what becomes of it depends on whether the browser shows the photo.
      const [answer] = await Promise.allSettled([asked, this.#shown]);
      signal.throwIfAborted();
      if (answer.status === 'rejected') throw answer.reason;
      const inspected = answer.value;
      this.#store.update({ inspected, trouble: null });
      this.#settlePicture();
      const found = counted(inspected.metadata_blocks_present.length, 'kind', 'kinds');
      announce(
        `${inspected.format.toUpperCase()}, ${inspected.width} by ${inspected.height} pixels, ${found} of metadata.${inspected.has_gps ? ' Warning: it says where it was taken.' : ''}`,
      );
      return inspected.facts;
    });
  }

  /**
   * After inspect: the true size is known, and whether the browser shows the picture the way the service sees
   * it.
   */
  #settlePicture(): void {
    const { photo, inspected } = this.#store.state;
    if (!photo || !inspected) return;
    const frame = uprightSize(inspected, inspected.orientation);
    if (frame.width === 0 || frame.height === 0) return;
    if (photo.frame && showable(inspected, photo.frame, frame)) {
      if (this.#store.state.key) this.detect(true);
      return;
    }
    if (photo.shown) URL.revokeObjectURL(photo.shown);
    this.#store.update({ photo: { ...photo, shown: null, shownBy: null, frame } });
    this.#store.set({ regions: [], crop: null });
    this.preview();
  }

  /** A clean copy from the service, for photos that this browser can't show. */
  preview(): void {
    this.#request('preview', true, async (photo, signal) => {
      const ops = {
        pixelate: { faces: false },
        output: { quality: 85, maxWidth: PREVIEW_WIDTH },
      };
      const options = { signal, onProgress: this.#progress };
      const { image, facts } = await this.#client().sanitize(photo.file, ops, options);
      const current = this.#store.state.photo;
      if (current?.file === photo.file) {
        this.#store.update({ photo: { ...current, shown: URL.createObjectURL(image), shownBy: 'service' } });
        if (this.#store.state.key) this.detect(true);
      }
      return facts;
    });
  }

  detect(automatic = false): void {
    this.#request('detect', automatic, async (photo, signal) => {
      const confidence = Math.min(LOOK_DOWN_TO, this.#store.state.settings.confidence);
      // Tight boxes: the page pads them itself, so that the slider needs no further call.
      const options = { signal, onProgress: this.#progress };
      const { faces, facts } = await this.#client().detect(photo.file, { confidence, padding: 1 }, options);
      const found = faces.map((face) => ({ ...face, hidden: true }));
      this.#store.update({ found, foundDownTo: confidence, trouble: null });
      const shown = found.filter((face) => face.confidence >= this.#store.state.settings.confidence);
      announce(`${counted(shown.length, 'face')} found.`);
      return facts;
    });
  }

  sanitize(): void {
    this.#request('sanitize', false, async (photo, signal) => {
      const { settings, found } = this.#store.state;
      const order = orderFor(settings, found ?? [], photo.frame as Size);
      const options = { signal, onProgress: this.#progress };
      const { image, report, facts } = await this.#client().sanitizeWithReport(
        photo.file,
        order.ops,
        options,
      );
      this.#forgetResult();
      this.#store.update({
        result: {
          address: URL.createObjectURL(image),
          name: cleanName(photo.file.name, settings.format),
          report,
          facts,
          order,
          before: photo.file.size,
        },
        view: 'result',
        trouble: null,
      });
      announce(
        `The photo is clean: ${report.width} by ${report.height} pixels, ${bytesInWords(report.bytes)}, ${counted(report.facesDetected, 'face')} found, ${counted(report.regionsPixelated, 'region')} pixelated.`,
      );
      // After the view is drawn.
      setTimeout(() => byId('result-title').focus(), 0);
      return facts;
    });
  }

  #client() {
    return clientFor(this.#store.state.key);
  }

  readonly #progress = ({ sent, total }: { sent: number; total: number }) => this.#desk.progress(sent, total);

  #request(
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
        // A person asking again is no longer the page asking.
        const again = () => this.#request(kind, false, call);
        const trouble = troubleFrom(error, again);
        const isHopeless = kind === 'inspect' && !trouble.again && !this.#store.state.photo?.shown;
        if (isHopeless) this.#forget();
        this.#store.update({ trouble, ...(isHopeless && { photo: null }) });
      },
    };
    this.#desk.request(job);
  }

  #forgetResult(): void {
    const { result } = this.#store.state;
    if (result) URL.revokeObjectURL(result.address);
  }

  #forget(): void {
    this.#forgetResult();
    const { photo } = this.#store.state;
    if (photo?.shown) URL.revokeObjectURL(photo.shown);
  }
}

/** "holiday.heic.jpg" → "holiday.heic-clean.png" */
function cleanName(name: string, format: 'jpeg' | 'png' | 'webp'): string {
  const stem = name.replace(/\.[^.]*$/, '') || 'photo';
  return `${stem}-clean.${format === 'jpeg' ? 'jpg' : format}`;
}
