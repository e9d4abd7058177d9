import type { CallFacts, InspectResult, PurgeReport } from '../../client/index.ts';
import type { Box, Size } from './geometry.ts';
import type { Face } from './hiding.ts';
import { defaultSettings, type Order, orderFor, type Settings } from './ops.ts';

/** A region with a name of its own, so that its element stays the same while it moves. */
export interface Region extends Box {
  readonly id: number;
}

/** Settings whose regions have names. */
interface PageSettings extends Settings {
  readonly regions: readonly Region[];
}

export interface Photo {
  readonly file: File;
  /** Address of what is shown of it; null while nothing can be. */
  readonly shown: string | null;
  /** Who can show it: this browser, or the service by a clean copy; unknown until one of them has. */
  readonly shownBy: 'browser' | 'service' | null;
  /** Size of the whole picture, upright; null until known. */
  readonly frame: Size | null;
}

export interface Result {
  readonly address: string;
  readonly name: string;
  readonly report: PurgeReport;
  readonly facts: CallFacts;
  readonly order: Order;
  /** Bytes of the upload. */
  readonly before: number;
}

/** Something went wrong, in words, with what to do. */
export interface TroubleShown {
  readonly title: string;
  readonly message: string;
  readonly advice: string;
  readonly requestId?: string | undefined;
  /** The same again, where that may help. */
  readonly again?: (() => void) | undefined;
}

export interface State {
  readonly photo: Photo | null;
  readonly inspected: InspectResult | null;
  /** Faces in the frame, tight; null until they were looked for. */
  readonly found: readonly Face[] | null;
  /** The confidence down to which they were looked for. */
  readonly foundDownTo: number;
  readonly settings: PageSettings;
  readonly tool: 'hide' | 'crop';
  readonly view: 'edit' | 'result';
  readonly result: Result | null;
  readonly snippet: 'curl' | 'client';
  readonly trouble: TroubleShown | null;
  readonly key: string | null;
}

export const emptyState: State = {
  photo: null,
  inspected: null,
  found: null,
  foundDownTo: 1,
  settings: { ...defaultSettings, regions: [] },
  tool: 'hide',
  view: 'edit',
  result: null,
  snippet: 'curl',
  trouble: null,
  key: null,
};

/** Whether the result was made with other settings than those of now. */
export function isStale({ result, photo, settings, found }: State): boolean {
  if (!result || !photo?.frame) return false;
  const now = orderFor(settings, found ?? [], photo.frame);
  return JSON.stringify(now.ops) !== JSON.stringify(result.order.ops);
}

/** The one state of the page; views are drawn anew, together, after a change. */
export class Store {
  #state = emptyState;
  readonly #views: (() => void)[] = [];
  #isDue = false;

  get state(): State {
    return this.#state;
  }

  update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.redraw();
  }

  set(change: Partial<PageSettings>): void {
    this.update({ settings: { ...this.#state.settings, ...change } });
  }

  /** Draws once before the next frame, however much changed. */
  redraw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const draw of this.#views) draw();
    });
  }

  /** @param draw brings a part of the page in line with the state; called at every change */
  view(draw: () => void): void {
    this.#views.push(draw);
  }
}

let regions = 0;

export function newRegion({ x, y, w, h }: Box): Region {
  regions++;
  return { id: regions, x, y, w, h };
}
