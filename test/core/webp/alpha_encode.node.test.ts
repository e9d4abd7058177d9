import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { WebpAlphaFile } from '../../../src/core/webp/alpha.ts';
import { alphaEncoderBytes, WebpAlphaWriter } from '../../../src/core/webp/alpha_encode.ts';
import { pushFromCore } from '../../fixtures/core_rows.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { noisePicture, photoPicture } from '../../fixtures/raster.ts';
import { sameBytes } from '../../fixtures/webp_lossless_rows.ts';
import { fewColours, softEdges } from '../../fixtures/webp_pictures.ts';
import { chunkOf, riffChunk, vp8x, webp } from '../../fixtures/webp_writer.ts';

/** An alpha plane: a byte a pixel. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}

function collect(core: Core): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  core.sink = (piece) => {
    pieces.push(piece.slice());
  };
  return pieces;
}

/** Pixels of some colours with this alpha. */
function rgbaOf(alpha: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(alpha.length * 4);
  for (let i = 0; i < alpha.length; i++) pixels.set([i, i >> 5, 255 - i, alpha[i]!], i * 4);
  return pixels;
}

/** A plane as a chunk's payload; `rows` are pushed at a time. */
function encode({ width, height, alpha }: Plane, rows = 16): Uint8Array {
  using core = createCore();
  const writer = new WebpAlphaWriter(core, width, height);
  const pieces = collect(core);
  const picture = { width, height, pixels: rgbaOf(alpha) };
  const read = () => pushFromCore(core, picture, [rows], (pixels, count) => writer.push(pixels, count));
  read();
  const planned = writer.plan();
  read();
  writer.finish();
  const payload = Uint8Array.from(Buffer.concat(pieces));
  expect(payload.length).toBe(planned);
  return payload;
}

function decode(payload: Uint8Array, { width, height }: Plane): Uint8Array {
  using core = createCore();
  const at = core.alloc(payload.length);
  core.view(at, payload.length).set(payload);
  const file = new WebpAlphaFile(core, at, payload.length, width, height);
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) alpha.set(file.row(), y * width);
  return alpha;
}

/** What libwebp makes of it, inside a lossy file. */
async function decodeByLibwebp(payload: Uint8Array, { width, height }: Plane): Promise<Uint8Array> {
  const still = await sharp({ create: { width, height, channels: 3, background: '#246' } })
    .webp()
    .toBuffer();
  const colours = riffChunk('VP8 ', chunkOf(still, 'VP8 ')!);
  return sharp(webp([vp8x(width, height, 0x10), riffChunk('ALPH', payload), colours]))
    .extractChannel(3)
    .raw()
    .toBuffer();
}

const channelOf = (pixels: Uint8Array, channel: number) => pixels.filter((_, i) => i % 4 === channel);

async function drawn(width: number, height: number, inner: string, blur = 0): Promise<Plane> {
  const svg = `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
  const image = sharp(Buffer.from(svg)).ensureAlpha().extractChannel(3);
  const plane = await (blur > 0 ? image.blur(blur) : image).toColourspace('b-w').raw().toBuffer();
  return { width, height, alpha: new Uint8Array(plane) };
}

const circles = Array.from(
  { length: 12 },
  (_, i) => `<circle cx="${(i * 97) % 500}" cy="${(i * 61) % 380}" r="${15 + ((i * 37) % 70)}"/>`,
).join('');
const text = Array.from(
  { length: 12 },
  (_, i) => `<text x="${9 + i * 3}" y="${28 + i * 29}" font-size="24">Line ${i * 7919} of a text</text>`,
).join('');
const gradient =
  '<linearGradient id="g" x2="1" y2="0.4"><stop offset="0"/><stop offset="1" stop-opacity="0"/></linearGradient><rect width="500" height="380" fill="url(#g)"/>';

/** A walk by steps of 8 to 39 up or down, rarely of 0 to 3: their codes, the first ones, have 9 bits. */
function rareLevel(width: number, height: number): Plane {
  const below = seededBelow(3);
  const alpha = new Uint8Array(width * height);
  for (let at = 1; at < alpha.length; at++) {
    const before = alpha[at % width === 0 ? at - width : at - 1]!;
    alpha[at] = before + (below(128) === 0 ? below(4) : (8 + below(32)) * (below(2) ? 1 : -1));
  }
  return { width, height, alpha };
}

/** Planes of all kinds that pictures have, by name. */
async function planes(): Promise<readonly (readonly [name: string, plane: Plane])[]> {
  const soft = softEdges(320, 240, 1);
  const photo = photoPicture(400, 300, 2);
  const few = (levels: number) => fewColours(333, 200, levels, levels);
  return [
    ['circles', await drawn(500, 380, circles)],
    ['shadows', await drawn(500, 380, circles, 9)],
    ['text', await drawn(500, 380, text)],
    ['gradient', await drawn(500, 380, gradient)],
    ['soft edges', { width: 320, height: 240, alpha: channelOf(soft.pixels, 3) }],
    ['photograph', { width: 400, height: 300, alpha: channelOf(photo.pixels, 1) }],
    ['mask', { width: 400, height: 300, alpha: channelOf(photo.pixels, 1).map((v) => (v > 130 ? 255 : 0)) }],
    ['rare level steps', rareLevel(320, 200)],
    ['noise', { width: 200, height: 150, alpha: channelOf(noisePicture(200, 150, 3).pixels, 0) }],
    ...[2, 4, 13].map((levels) => {
      const { width, height, pixels } = few(levels);
      return [`${levels} levels`, { width, height, alpha: channelOf(pixels, 2) }] as const;
    }),
  ];
}

describe('alpha that was written', () => {
  it('is read as it was by libwebp, and by the core', async () => {
    for (const [name, plane] of await planes()) {
      const payload = encode(plane);
      // Never raw.
      expect(payload[0]! & 3).toBe(1);
      if (!sameBytes(decode(payload, plane), plane.alpha)) expect.fail(`${name}: differs in the core`);
      if (!sameBytes(await decodeByLibwebp(payload, plane), plane.alpha)) expect.fail(`${name}: differs`);
    }
  });

  it('is read as it was, whatever it is', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const plane = randomPlane(seed);
      const payload = encode(plane);
      if (!sameBytes(decode(payload, plane), plane.alpha)) expect.fail(`plane ${seed}: differs in the core`);
      if (seed % 10 === 0 && !sameBytes(await decodeByLibwebp(payload, plane), plane.alpha)) {
        expect.fail(`plane ${seed}: differs`);
      }
    }
  });

  it('is read as it was where the history is passed by many times', async () => {
    const { pixels } = photoPicture(1500, 300, 5);
    const masked = channelOf(pixels, 0).map((v, i) => (i % 1500 < 700 ? v : v > 128 ? 255 : 0));
    for (const [width, height] of [
      [1500, 300],
      [16_383, 27],
      [30, 15_000],
    ] as const) {
      const plane = { width, height, alpha: masked.subarray(0, width * height) };
      const payload = encode(plane, 7);
      expect(sameBytes(decode(payload, plane), plane.alpha)).toBe(true);
      expect(sameBytes(await decodeByLibwebp(payload, plane), plane.alpha)).toBe(true);
    }
  });

  it('is as long as raw, and some bytes for a code, where nothing can be done', () => {
    const { pixels } = noisePicture(500, 400, 4);
    const payload = encode({
      width: 500,
      height: 400,
      alpha: pixels.subarray(0, 200_000).map((v, i) => (i % 4 === 3 ? i * 77 : v)),
    });
    expect(payload.length).toBeLessThan(200_100);
  });
});

/** Few levels or many, in areas, lines, waves or at random. */
function randomPlane(seed: number): Plane {
  const random = seededBelow(seed);
  const width = 1 + random(random(4) > 0 ? 60 : 300);
  const height = 1 + random(random(4) > 0 ? 60 : 300);
  const levels = Array.from({ length: 1 + random([2, 3, 5, 17, 256][random(5)]!) }, () => random(256));
  const kind = random(5);
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    if (kind === 0) alpha[i] = levels[random(levels.length)]!;
    else if (kind === 1) alpha[i] = levels[((x >> 3) * 7) % levels.length]!;
    else if (kind === 2) alpha[i] = levels[((x * x + y * y) >> 7) % levels.length]!;
    else if (kind === 3) alpha[i] = random(10) > 0 && i > 0 ? alpha[i - 1]! : levels[random(levels.length)]!;
    else alpha[i] = 128 + 100 * Math.sin(x / 17) * Math.cos(y / 13) + random(3);
  }
  return { width, height, alpha };
}

describe('an alpha writer in a core', () => {
  const { width, height, pixels } = softEdges(211, 90, 8);
  const plane = { width, height, alpha: channelOf(pixels, 3) };

  it('takes rows from where they lie, many or few at a time', () => {
    const expected = encode(plane);
    for (const rows of [1, 7, 90]) expect(sameBytes(encode(plane, rows), expected)).toBe(true);
    using core = createCore();
    const at = core.alloc(pixels.length);
    const writer = new WebpAlphaWriter(core, width, height);
    const pieces = collect(core);
    core.view(at, pixels.length).set(pixels);
    writer.push(core.view(at, pixels.length), height);
    expect(writer.opaque).toBe(false);
    writer.plan();
    writer.push(core.view(at, pixels.length), height);
    writer.finish();
    expect(sameBytes(Buffer.concat(pieces), expected)).toBe(true);
    // They are left as they were.
    expect(sameBytes(core.view(at, pixels.length), pixels)).toBe(true);
  });

  it('takes what was predicted, all of it at the beginning', () => {
    for (const [w, h] of [
      [1, 1],
      [211, 90],
      [3000, 40],
      [16_383, 3],
    ] as const) {
      using core = createCore();
      const before = core.exports.mark();
      const writer = new WebpAlphaWriter(core, w, h);
      expect(core.exports.mark() - before).toBe(alphaEncoderBytes(w, h));
      collect(core);
      const { pixels: noise } = noisePicture(w, h, 2, 'any');
      const rows = core.alloc(noise.length);
      const held = core.exports.peakBytes();
      core.view(rows, noise.length).set(noise);
      writer.push(core.view(rows, noise.length), h);
      writer.plan();
      writer.push(core.view(rows, noise.length), h);
      writer.finish();
      expect(core.exports.peakBytes()).toBe(held);
    }
    expect(alphaEncoderBytes(8160, 6120)).toBeLessThan(2.2e6);
  });

  it('writes to nothing but its own memory', () => {
    for (const [w, h] of [
      [1, 1],
      [1, 50],
      [50, 1],
      [33, 70],
      [300, 333],
    ] as const) {
      using core = createCore();
      const before = core.alloc(4096);
      const writer = new WebpAlphaWriter(core, w, h);
      const after = core.alloc(4096);
      for (const at of [before, after]) core.view(at, 4096).fill(0xa5);
      const photo = rgbaOf(channelOf(photoPicture(w, h, 2).pixels, 0));
      collect(core);
      const rows = core.alloc(photo.length);
      core.view(rows, photo.length).set(photo);
      writer.push(core.view(rows, photo.length), h);
      writer.plan();
      writer.push(core.view(rows, photo.length), h);
      writer.finish();
      for (const at of [before, after]) expect(core.view(at, 4096).every((byte) => byte === 0xa5)).toBe(true);
    }
  });

  it('asks for two whole readings', () => {
    using core = createCore();
    const writer = new WebpAlphaWriter(core, width, height);
    collect(core);
    expect(() => writer.plan()).toThrow(/first reading/);
    const at = core.alloc(pixels.length);
    const rows = core.view(at, pixels.length);
    rows.set(pixels);
    expect(() => writer.push(rows.subarray(1), height)).toThrow(/promised/);
    expect(() => writer.push(pixels, height)).toThrow(/core of their image/);
    writer.push(rows, height);
    expect(() => writer.push(rows, 1)).toThrow(/more than 90/);
    expect(() => writer.finish()).toThrow(/second reading/);
    writer.plan();
    expect(() => writer.plan()).toThrow(/first reading/);
    expect(() => writer.finish()).toThrow(/second reading/);
  });

  it('tells whether all that it has seen is opaque, at every place', () => {
    for (const wide of [1, 3, 4, 7, 16, 37]) {
      const solid = noisePicture(wide, 3, wide).pixels;
      for (let i = -1; i < wide * 3; i++) {
        using own = createCore();
        const writer = new WebpAlphaWriter(own, wide, 3);
        collect(own);
        const at = own.alloc(solid.length);
        own.view(at, solid.length).set(solid);
        if (i >= 0) own.view(at, solid.length)[i * 4 + 3] = i & 1 ? 254 : 0;
        writer.push(own.view(at, solid.length), 3);
        expect(writer.opaque).toBe(i < 0);
      }
    }
  });

  it('finds no memory where there is none: a limit', () => {
    const core = createCore();
    const full = {
      ...core,
      exports: Object.create(core.exports, { webpAlphaEncodeBegin: { value: () => 0 } }),
    };
    expect(() => new WebpAlphaWriter(full, 3, 3)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });
});
