import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { budgetOf } from '../../src/library/budgets.ts';
import { home as webHome } from '../../src/library/home_web.ts';
import { detect, ImageError, inspect, type Progress, sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { describeImageInputs } from '../cases/image_input_cases.ts';
import { irot, nclx } from '../fixtures/avif_writer.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { greenOverRed } from '../fixtures/green_over_red.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';

const noFaces = { pixelate: { faces: false } };
const sample = (format: (typeof inputFormats)[number] = 'jpeg', width = 320, height = 200) =>
  sampleFile(format, drawPeople(width, height));

describe('sanitize', () => {
  it.each(inputFormats)('cleans a %s to what its report says', async (format) => {
    const { bytes, mediaType, extension, report } = await sanitize(await sample(format), {
      ...noFaces,
      output: { format: 'png', maxWidth: 100 },
    });
    expect([mediaType, extension]).toEqual(['image/png', 'png']);
    expect(scan(bytes)).toMatchObject({ format: 'png', width: 100, blocks: [] });
    expect(report).toMatchObject({ bytes: bytes.length, width: 100, metadataStripped: true });
  });

  it('cleans an AVIF whose shown layer is predicted from a lower one', async () => {
    const { bytes } = await sanitize(greenOverRed({ exif: 'taken at home' }), noFaces);
    expect(scan(bytes)).toMatchObject({ format: 'jpeg', width: 32, height: 16, blocks: [] });
    // Turned, and brought down from PQ.
    const properties = [irot(1), nclx(9, 16, 9)];
    const turned = await sanitize(greenOverRed({ properties }), noFaces);
    expect(scan(turned.bytes)).toMatchObject({ width: 16, height: 32, orientation: 1 });
  });

  it('needs no network, and finds faces by the model it comes with', async () => {
    const network = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('offline'));
    try {
      const { report } = await sanitize(await sample());
      expect(report.warnings).toContain('no faces found; detection is not exhaustive');
      expect(network).not.toHaveBeenCalled();
    } finally {
      network.mockRestore();
    }
  });

  it('tells its phases in order, each from 0 to 1', async () => {
    const told: Progress[] = [];
    await sanitize(await sample('png', 1000, 1900), {}, { onProgress: (progress) => told.push(progress) });
    const shares = (phase: string) => told.filter((one) => one.phase === phase).map(({ share }) => share);
    expect(told.map(({ phase }) => phase).join()).toMatch(/^(detecting,)+(encoding,?)+$/);
    for (const phase of ['detecting', 'encoding']) {
      const of = shares(phase);
      expect(of.length).toBeGreaterThan(3);
      expect(of).toEqual(of.toSorted((a, b) => a - b));
      expect([of.at(0), of.at(-1)]).toEqual([0, 1]);
    }
    const searched: Progress[] = [];
    await detect(await sample(), {}, { onProgress: (progress) => searched.push(progress) });
    expect(new Set(searched.map(({ phase }) => phase))).toEqual(new Set(['detecting']));
    expect([searched.at(0)!.share, searched.at(-1)!.share]).toEqual([0, 1]);
    expect(searched.length).toBeGreaterThan(3);
  });

  it('ends with the reason of its signal, before and during the work', async () => {
    const reason = new Error('enough');
    const file = await sample('png', 1000, 900);
    await expect(sanitize(file, noFaces, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const abort = ({ share }: Progress) => share > 0 && controller.abort(reason);
    await expect(sanitize(file, noFaces, { signal: controller.signal, onProgress: abort })).rejects.toBe(
      reason,
    );
  });

  it.each([
    ['ops', { grayscale: 1 }, 'invalid_ops', ['grayscale']],
    ['unknown ops', { blur: 1 }, 'invalid_ops', ['blur']],
    ['the form of an HTTP response', { response: 'json' }, 'invalid_ops', ['response']],
    ['a crop outside', { crop: { x: 900, y: 0, width: 5, height: 5 } }, 'invalid_ops', ['crop']],
  ])('refuses %s by code and issues', async (_, ops, code, paths) => {
    const error = await sanitize(await sample(), ops as object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImageError);
    expect(error).toMatchObject({ code, issues: paths.map((path) => ({ path })) });
  });

  it.each([
    ['no image', async () => new Uint8Array(64)],
    ['half an image', async () => (await sample()).subarray(0, 900)],
  ])('refuses %s', async (_, bytes) => {
    await expect(sanitize(await bytes(), noFaces)).rejects.toMatchObject({ code: 'unprocessable_image' });
  });

  it('keeps within its memory budget', async () => {
    const file = await sample('png', 1000, 900);
    const within = (memoryBudget: number) => sanitize(file, noFaces, { memoryBudget });
    await expect(within(file.length - 1)).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(within(file.length + 1)).rejects.toMatchObject({ code: 'unprocessable_image' });
    await expect(within(0.5)).rejects.toMatchObject({ code: 'invalid_ops' });
    const several = await Promise.all([1, 2, 3, 4].map(() => within(16 * 1024 * 1024)));
    expect(new Set(several.map(({ report }) => report.bytes)).size).toBe(1);
  });
});

/** Ways of a listener to fail. */
const failures: readonly (readonly [string, (error: Error) => (progress: Progress) => void])[] = [
  [
    'throws',
    (error) => () => {
      throw error;
    },
  ],
  ['rejects', (error) => async () => Promise.reject(error)],
  [
    'throws at the last',
    (error) =>
      ({ phase, share }) => {
        if (phase === 'encoding' && share === 1) throw error;
      },
  ],
];

describe.each(failures)('a listener that %s', (_, failing) => {
  it('ends its own call with that, gives its memory back, and leaves others alone', async () => {
    const file = await sample('png', 1000, 900);
    const failure = new Error('a mistake of the caller');
    const memoryBudget = 24 * 1024 * 1024;
    const told: Progress[] = [];
    const failed = sanitize(file, noFaces, {
      memoryBudget,
      onProgress: (progress) => {
        told.push(progress);
        return failing(failure)(progress);
      },
    });
    const other = sanitize(file, noFaces, { memoryBudget });
    await expect(failed).rejects.toBe(failure);
    const count = told.length;
    expect((await other).report.width).toBe(1000);
    expect((await sanitize(file, noFaces, { memoryBudget })).report.width).toBe(1000);
    expect(budgetOf(memoryBudget).freeBytes).toBe(memoryBudget);
    expect(told).toHaveLength(count);
  });
});

it('a call ends with what a getter of its options throws', async () => {
  const file = await sample();
  const failure = new Error('a getter');
  for (const member of ['signal', 'memoryBudget', 'onProgress']) {
    const options = Object.defineProperty({}, member, {
      get() {
        throw failure;
      },
    });
    await expect(sanitize(file, noFaces, options)).rejects.toBe(failure);
  }
  await expect(sanitize(file, noFaces, { onProgress: 'no function' as never })).rejects.toThrow(TypeError);
  expect((await sanitize(file, noFaces)).report.width).toBe(320);
});

it('a refusal of the ops ends the stream that came with them', async () => {
  const image = new PassThrough();
  await expect(sanitize(image, { blur: 1 } as object)).rejects.toMatchObject({ code: 'invalid_ops' });
  expect(image.destroyed).toBe(true);
});

describeImageInputs('sanitize', (image, options) => sanitize(image, noFaces, options));
describeImageInputs('detect', (image, options) => detect(image, {}, options));
describeImageInputs('inspect', (image, options) => inspect(image, {}, options));

describe('inspect', () => {
  it('tells what a file declares', async () => {
    expect(await inspect(await sample('webp'))).toMatchObject({ format: 'webp', width: 320, height: 200 });
  });
});

describe('the home of pages', () => {
  it('reads a file of the package, and names one that is missing', async () => {
    const address = (text: string) => new URL(`data:text/plain,${text}`);
    expect(await webHome.readFile(address('abc'))).toEqual(new TextEncoder().encode('abc'));
    const absent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 404 }));
    await expect(webHome.readFile(new URL('https://page.test/core.wasm'))).rejects.toThrow('/core.wasm');
    absent.mockRestore();
  });

  it('reads no files of the device', async () => {
    await expect(webHome.openFile(new URL('file:///photo.jpg'))).rejects.toThrow('a File or a Blob');
  });

  it('gives turns', async () => {
    let timer = false;
    setTimeout(() => {
      timer = true;
    });
    for (let turn = 0; turn < 10_000 && !timer; turn++) await webHome.nextTurn();
    expect(timer).toBe(true);
  });
});
