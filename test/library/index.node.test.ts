import { describe, expect, it, vi } from 'vitest';
import { home as webHome } from '../../src/library/home_web.ts';
import { detect, ImageError, inspect, type Progress, sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
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

  it('takes every form of input, and gives the same bytes for each', async () => {
    const file = await sample();
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(file.subarray(0, 100));
          controller.enqueue(file.subarray(100));
          controller.close();
        },
      });
    const forms = [file, file.buffer, new Blob([file]), stream()];
    const results = await Promise.all(forms.map((form) => sanitize(form, noFaces)));
    expect(new Set(results.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size).toBe(1);
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
    await sanitize(await sample('png', 1000, 900), {}, { onProgress: (progress) => told.push(progress) });
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

  it('gives turns', async () => {
    let timer = false;
    setTimeout(() => {
      timer = true;
    });
    for (let turn = 0; turn < 10_000 && !timer; turn++) await webHome.nextTurn();
    expect(timer).toBe(true);
  });
});
