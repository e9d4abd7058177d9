import { describe, expect, it } from 'vitest';
import type { Decoder, Raster, Want } from '../../src/codecs/types.ts';
import { Fault } from '../../src/faults.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import type { FileFacts, InputFormat } from '../../src/metadata/facts.ts';
import { heldBytesOf } from '../fixtures/held_bytes.ts';
import { stripsOf } from '../fixtures/raster.ts';

/** One file that a decoder reads well. */
export interface DecoderSample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
  readonly want?: Want;
  /** RGBA of every pixel, where the sample's maker knows it. */
  readonly pixels?: Uint8Array;
  /** A length at which pixel data is cut off; half of the file where absent. */
  readonly cutAt?: number;
}

interface DecoderCases {
  readonly decoder: Decoder;
  readonly samples: readonly DecoderSample[];
  /** At most so many places are tried for a truncation of each sample, evenly spread; 64 where absent. */
  readonly cuts?: number;
  /** Whether a file cut in its pixel data is refused naming the row reached. A whole-frame codec cannot. */
  readonly namesRow?: boolean;
}

/** Facts of a plain still image; what a sample needs otherwise goes into `other`. */
export function stillFacts(
  format: InputFormat,
  width: number,
  height: number,
  other: Partial<FileFacts> = {},
): FileFacts {
  return {
    format,
    width,
    height,
    orientation: 1,
    frames: 1,
    progressive: false,
    bitDepth: 8,
    channels: 3,
    hasAlpha: false,
    colour: 'rgb',
    blocks: [],
    complete: true,
    ...other,
  };
}

/**
 * Reads a raster whole, holding it to the contract of strips: in order, no gap, no overlap, right sizes.
 * With `spoil`, every strip is overwritten once copied, as a consumer may.
 */
export function readWhole(raster: Raster, spoil = false): Uint8Array {
  const row = raster.width * 4;
  const whole = new Uint8Array(row * raster.height);
  let y = 0;
  for (const strip of stripsOf(raster)) {
    if (strip.y !== y) throw new Error(`A strip begins at row ${strip.y} where row ${y} was due`);
    if (!(Number.isInteger(strip.rows) && strip.rows >= 1)) throw new Error(`A strip of ${strip.rows} rows`);
    if (strip.pixels.length !== strip.rows * row) {
      throw new Error(
        `A strip of ${strip.rows} rows has ${strip.pixels.length} bytes, not ${strip.rows * row}`,
      );
    }
    if (y + strip.rows > raster.height)
      throw new Error(`A strip ends below the image's ${raster.height} rows`);
    whole.set(strip.pixels, y * row);
    if (spoil) strip.pixels.fill(0xa5);
    y += strip.rows;
  }
  if (y !== raster.height) throw new Error(`The strips end at row ${y} of ${raster.height}`);
  return whole;
}

/** Opens, reads whole and disposes. */
export async function decodeWhole(
  decoder: Decoder,
  sample: Pick<DecoderSample, 'bytes' | 'facts' | 'want'>,
): Promise<{ readonly width: number; readonly height: number; readonly pixels: Uint8Array }> {
  using raster = await decoder.open(sample.bytes, sample.facts, sample.want ?? {});
  return { width: raster.width, height: raster.height, pixels: readWhole(raster) };
}

/** What every decoder must hold to, whatever it reads. */
export function decoderCases({ decoder, samples, cuts = 64, namesRow = true }: DecoderCases): void {
  describe.each(samples.map((sample) => [sample.name, sample] as const))(
    `a ${decoder.format} decoder reading %s`,
    (_name, sample) => {
      const { bytes, facts } = sample;
      const want = sample.want ?? {};
      const open = (from = bytes) => decoder.open(from, facts, want);

      it('hands out contiguous strips of the announced size', async () => {
        using raster = await open();
        const eighths = [8, 5, 4, 3, 2, 1].find(
          (part) => Math.ceil((facts.width * part) / 8) === raster.width,
        );
        expect(eighths).toBeDefined();
        expect(raster.height).toBe(Math.ceil((facts.height * eighths!) / 8));
        expect(raster.width).toBeGreaterThanOrEqual(Math.min(want.minWidth ?? facts.width, facts.width));
        const pixels = readWhole(raster);
        if (sample.pixels !== undefined) expect(firstDifference(pixels, sample.pixels)).toBe('none');
      });

      it('can be read again with the same result, whatever the consumer did to the strips', async () => {
        using raster = await open();
        const clean = readWhole(raster);
        expect(firstDifference(readWhole(raster, true), clean)).toBe('none');
        expect(firstDifference(readWhole(raster), clean)).toBe('none');
      });

      it('can be left early and read again', async () => {
        using raster = await open();
        const clean = readWhole(raster);
        for (const _strip of stripsOf(raster)) break;
        let strips = 0;
        for (const _strip of stripsOf(raster)) if (++strips === 2) break;
        expect(firstDifference(readWhole(raster), clean)).toBe('none');
      });

      it('shares nothing with a second raster of the same file', async () => {
        using one = await open();
        const clean = readWhole(one);
        using two = await open();
        const mixed: Uint8Array[] = [];
        const other = stripsOf(two)[Symbol.iterator]();
        for (const strip of stripsOf(one)) {
          const step = other.next();
          if (!step.done) mixed.push(step.value.pixels.slice());
          const at = strip.y * one.width * 4;
          expect(firstDifference(strip.pixels, clean.subarray(at, at + strip.pixels.length))).toBe('none');
        }
        for (let step = other.next(); !step.done; step = other.next()) mixed.push(step.value.pixels.slice());
        expect(firstDifference(Buffer.concat(mixed), clean)).toBe('none');
      });

      it('has the traits it states: opaque and grey', async () => {
        using raster = await open();
        const pixels = readWhole(raster);
        const broken: string[] = [];
        for (let at = 0; at < pixels.length && broken.length === 0; at += 4) {
          const [red, green, blue, alpha] = pixels.subarray(at, at + 4);
          if (raster.opaque && alpha !== 255) broken.push(`pixel ${at / 4} has alpha ${alpha}`);
          if (raster.grey && (red !== green || green !== blue)) broken.push(`pixel ${at / 4} has a hue`);
        }
        expect(broken).toEqual([]);
      });

      it('predicts at least the memory it hands out, from the header alone', async () => {
        const cost = totalBytes(decoder.cost(facts, want));
        expect(Number.isSafeInteger(cost)).toBe(true);
        expect(totalBytes(decoder.cost({ ...facts }, { ...want }))).toBe(cost);
        using raster = await open();
        for (const strip of stripsOf(raster)) {
          expect(heldBytesOf(raster, strip)).toBeLessThanOrEqual(cost);
        }
      });

      it('reads from within a larger buffer and leaves the bytes alone', async () => {
        const room = new Uint8Array(bytes.length + 11).fill(0xee);
        room.set(bytes, 5);
        using raster = await open();
        using inner = await open(room.subarray(5, 5 + bytes.length));
        expect(firstDifference(readWhole(inner), readWhole(raster))).toBe('none');
        expect(firstDifference(room.subarray(5, 5 + bytes.length), bytes)).toBe('none');
        expect([...room.subarray(0, 5), ...room.subarray(5 + bytes.length)]).toEqual(Array(11).fill(0xee));
      });

      it('can be disposed of twice, and while it is read', async () => {
        const raster = await open();
        for (const _strip of stripsOf(raster)) break;
        raster[Symbol.dispose]();
        raster[Symbol.dispose]();
      });

      it('refuses a file cut anywhere, or reads it whole: never a part', async () => {
        const whole = await decodeWhole(decoder, sample);
        const step = Math.max(1, Math.ceil(bytes.length / cuts));
        for (let length = 0; length < bytes.length; length += step) {
          const outcome = await attempt(decoder, { ...sample, bytes: bytes.slice(0, length) });
          const fine =
            outcome instanceof Fault
              ? outcome.kind === 'decoding'
              : !(outcome instanceof Error) && firstDifference(outcome, whole.pixels) === 'none';
          expect(fine, `cut to ${length} of ${bytes.length} bytes: ${describeOutcome(outcome)}`).toBe(true);
        }
      });

      it('says where a file that is cut in its pixels ends', async () => {
        const length = sample.cutAt ?? bytes.length >> 1;
        const outcome = await attempt(decoder, { ...sample, bytes: bytes.slice(0, length) });
        expect(outcome).toBeInstanceOf(Fault);
        expect((outcome as Fault).kind).toBe('decoding');
        if (namesRow) expect((outcome as Fault).message).toMatch(/\brow \d+/);
      });
    },
  );
}

/** The pixels, or the error that came instead. */
export async function attempt(
  decoder: Decoder,
  sample: Pick<DecoderSample, 'bytes' | 'facts' | 'want'>,
): Promise<Uint8Array | Error> {
  try {
    return (await decodeWhole(decoder, sample)).pixels;
  } catch (error) {
    return error as Error;
  }
}

const describeOutcome = (outcome: Uint8Array | Error) =>
  outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : 'pixels that differ from the whole file';

/** `'none'`, or where and how two byte strings first differ: quicker and shorter than a diff of megabytes. */
export function firstDifference(got: Uint8Array, expected: Uint8Array): string {
  if (got.length !== expected.length) return `${got.length} bytes instead of ${expected.length}`;
  for (let at = 0; at < got.length; at++) {
    if (got[at] !== expected[at]) return `byte ${at} is ${got[at]} instead of ${expected[at]}`;
  }
  return 'none';
}
