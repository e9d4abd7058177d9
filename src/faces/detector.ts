import type { Raster, Size } from '../codecs/types.ts';
import { byConfidence, moveBox, type ScoredBox, scaleBox, suppress, type Turn, turnBox } from './boxes.ts';
import { type Looks, passSide, planLooks, type Tiling } from './looks.ts';
import { isCut, mergeSightings, type Sighting } from './merge.ts';
import { leastConfidence, sameFace } from './model.ts';
import { readingCost, readLooks } from './reading.ts';
import { type FaceSession, faceSession } from './session.ts';
import { fillPart, fillTurned, inputSize, type Picture, turnedSize } from './tensor.ts';

/** A face in the pixels of the raster looked at, tight (hairline to chin, ear to ear), not padded; it may reach outside. */
export interface Face extends ScoredBox {}

export interface Detection {
  /** At the confidence asked for or above, most confident first; one box a face. */
  readonly faces: readonly Face[];
  /** Candidates from 0.05 up that stayed below the confidence asked for. */
  readonly belowConfidence: number;
  /** Runs of the model. */
  readonly passes: number;
}

export interface DetectOptions {
  /** 0.05 to 0.99 */
  readonly confidence: number;
  /** `thorough`: whole image, tiles, and the other three turns where nothing is found. `coarse`: the whole image, once. */
  readonly look: 'thorough' | 'coarse';
}

export interface FaceDetector {
  /** Peak bytes that detection holds for a picture of this size: the model runtime's heap, its input, the shrunk pictures. */
  cost(size: Size): number;
  /** The raster width at which nothing is lost: a decoder may shrink a picture of this size down to it. */
  wantedWidth(size: Size): number;
  /**
   * Reads the raster once.
   * @throws whatever the raster throws, and Error when the model cannot be started
   */
  detect(source: Raster, options: DetectOptions): Promise<Detection>;
}

/**
 * Most the model runtime's memory grows to over any mix of passes (docs/faces.md: measured; a test holds it to this).
 * It stays with the isolate once there.
 */
export const runtimeHeapBytes = 38 * 1024 * 1024;

/** Of one pass, the most confident are considered: keeps hostile pictures from costing more than crowds do. */
const mostCandidates = 500;

const planarBytes = 3 * Float32Array.BYTES_PER_ELEMENT;

/** @param open gives the session to look with; asked anew for every detection */
export function createFaceDetector(open: () => Promise<FaceSession> = faceSession): FaceDetector {
  return {
    cost: (size) => runtimeHeapBytes + passSide * passSide * planarBytes + readingCost(size, planLooks(size)),
    wantedWidth: (size) => {
      const { whole, fine } = planLooks(size);
      return (fine?.size ?? whole).width;
    },
    async detect(source, { confidence, look }) {
      const search = new Search(await open(), source);
      const looks = planLooks(source);
      if (look === 'coarse') {
        await search.lookAtWhole({ whole: looks.whole });
      } else {
        const picture = await search.lookAtWhole(looks);
        for (const turn of [1, 3, 2] as const) {
          if (!search.found(confidence)) await search.lookTurned(picture, turn);
        }
      }
      return search.result(confidence);
    },
  };
}

/** One detection under way: what has been seen so far, in the raster's pixels. */
class Search {
  readonly #seen: Sighting[] = [];
  readonly #tensor = new Float32Array(passSide * passSide * 3);
  #passes = 0;

  constructor(
    private readonly session: FaceSession,
    private readonly source: Raster,
  ) {}

  /** Reads the raster, looks at its tiles, if any, and at the whole; returns the whole for further looks. */
  async lookAtWhole(looks: Looks): Promise<Picture> {
    const picture = await readLooks(this.source, looks, async (band, top) => {
      for (const left of looks.fine!.lefts) await this.#lookAtTile(looks.fine!, band, left, top);
    });
    await this.lookTurned(picture, 0);
    return picture;
  }

  async lookTurned(picture: Picture, turn: Turn): Promise<void> {
    const turned = turnedSize(picture, turn);
    const size = inputSize(turned);
    fillTurned(this.#tensor, picture, turn, size);
    const back = ((4 - turn) % 4) as Turn;
    for (const box of await this.#look(size)) this.#keep(turnBox(box, back, turned), picture, false);
  }

  found(confidence: number): boolean {
    return this.#seen.some((seen) => seen.confidence >= confidence);
  }

  result(confidence: number): Detection {
    const all = mergeSightings(this.#seen);
    const faces = all.filter((face) => face.confidence >= confidence);
    return { faces, belowConfidence: all.length - faces.length, passes: this.#passes };
  }

  async #lookAtTile(tiling: Tiling, band: Picture, left: number, top: number): Promise<void> {
    fillPart(this.#tensor, band, left, top, tiling.tile);
    const tile = { x: left, y: top, w: tiling.tile.width, h: tiling.tile.height };
    for (const box of await this.#look(tiling.tile)) {
      const placed = moveBox(box, left, top);
      this.#keep(placed, band, isCut(placed, tile, band));
    }
  }

  /** One run of the model on what the tensor holds: its candidates after suppression, in input pixels. */
  async #look(size: Size): Promise<ScoredBox[]> {
    this.#passes++;
    const input = this.#tensor.subarray(0, 3 * size.width * size.height);
    const { boxes, scores } = await this.session.run(input, size.width, size.height);
    const candidates: ScoredBox[] = [];
    for (let i = 0; i < scores.length; i++) {
      const confidence = scores[i]!;
      if (!(confidence >= leastConfidence)) continue;
      const [x, y, right, bottom] = boxes.subarray(4 * i, 4 * i + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      if (right > x && bottom > y) candidates.push({ x, y, w: right - x, h: bottom - y, confidence });
    }
    return suppress(candidates.sort(byConfidence).slice(0, mostCandidates), sameFace);
  }

  /** @param seenIn the shrunk picture in whose pixels the box is */
  #keep(box: ScoredBox, seenIn: Size, cut: boolean): void {
    const inRaster = scaleBox(box, this.source.width / seenIn.width, this.source.height / seenIn.height);
    this.#seen.push({ ...inRaster, pass: this.#passes, cut });
  }
}

/** The one detector of the isolate; nothing is loaded before it is first asked. */
export const faceDetector: FaceDetector = createFaceDetector();
