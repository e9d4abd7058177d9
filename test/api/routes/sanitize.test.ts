import { describe, expect, it } from 'vitest';
import { decoders, encoders } from '../../../src/codecs/registry.ts';
import type { OutputFormat } from '../../../src/codecs/types.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { writeGif } from '../../fixtures/gif_writer.ts';
import { greenOverRed, greenOverRedObus, resizedGreenOverRed } from '../../fixtures/green_over_red.ts';
import { photoPicture, readPicture } from '../../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../../fixtures/samples.ts';
import { bodyForms, postImage } from '../../fixtures/service.ts';
import { refusesTruncated } from './truncated_suite.ts';

const outputs: OutputFormat[] = ['jpeg', 'png', 'webp'];
const picture = photoPicture(60, 44, 3);
const files = new Map(
  await Promise.all(inputFormats.map(async (format) => [format, await sampleFile(format, picture)] as const)),
);
const noFaces = { pixelate: { faces: false } };

describe('POST /v1/sanitize', () => {
  describe.each(inputFormats)('from %s', (input) => {
    it.each(outputs)('to %s', async (format) => {
      const answer = await postImage('/v1/sanitize', files.get(input)!, { ...noFaces, output: { format } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe(`image/${format}`);
      expect(answer.headers.get('Content-Disposition')).toBe(
        `inline; filename="sanitized.${encoders[format].extension}"`,
      );
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(scan(bytes)).toMatchObject({
        format,
        width: 60,
        height: 44,
        orientation: 1,
        blocks: [],
        complete: true,
      });
    });
  });

  it.each(bodyForms)('gives the same result for image and ops sent as %s', async (form) => {
    const ops = { ...noFaces, grayscale: true, output: { format: 'png', maxWidth: 30 } };
    const answer = await postImage('/v1/sanitize', files.get('png')!, ops, { form });
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const raw = await postImage('/v1/sanitize', files.get('png')!, ops, { form: 'raw' });
    expect(bytes).toEqual(new Uint8Array(await raw.arrayBuffer()));
    expect(scan(bytes)).toMatchObject({ format: 'png', width: 30, height: 22 });
  });

  it('returns the envelope with the complete report for `response: json`', async () => {
    const ops = {
      pixelate: {
        faces: false,
        regions: [
          { x: 1, y: 1, w: 5, h: 5 },
          { x: 500, y: 0, w: 5, h: 5 },
        ],
      },
      grayscale: true,
      crop: { x: 10, y: 4, width: 40, height: 40 },
      output: { format: 'webp' },
      response: 'json',
    };
    const answer = await postImage('/v1/sanitize', files.get('jpeg')!, ops);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const body = (await answer.json()) as {
      image: string;
      content_type: string;
      report: Record<string, unknown>;
    };
    const image = Uint8Array.fromBase64(body.image);
    expect(Object.keys(body)).toEqual(['image', 'content_type', 'report']);
    expect(body.content_type).toBe('image/webp');
    expect(body.report).toEqual({
      width: 40,
      height: 40,
      bytes: image.length,
      facesDetected: 0,
      facesBelowConfidence: 0,
      belowConfidence: [],
      facesOnSecondLook: 0,
      regionsPixelated: 1,
      grayscale: true,
      hidden: [{ owner: 'region', fill: 'mosaic', x: 0, y: 0, w: 6, h: 6 }],
      colour: { from: 'untagged', converted: false },
      metadataStripped: true,
      verified: { blocks: [], scannedBytes: image.length },
      sourceMetadataFound: [],
      warnings: ['1 region has blocks so fine that text beneath could be guessed: a solid fill hides it'],
      warningCodes: ['fine_blocks'],
      durationMs: expect.any(Number),
    });
    expect(scan(image)).toMatchObject({ format: 'webp', width: 40, height: 40 });
    expect(answer.headers.get('X-Service-Regions-Pixelated')).toBe('1');
    expect(answer.headers.get('X-Service-Faces-Detected')).toBe('0');
  });

  it('warns if faces were looked for and none was found', async () => {
    const answer = await postImage('/v1/sanitize', files.get('png')!, { response: 'json' });
    const { report } = (await answer.json()) as { report: Record<string, unknown> };
    expect(report).toMatchObject({
      facesDetected: 0,
      warnings: ['no faces found; detection is not exhaustive'],
      warningCodes: ['no_faces_found'],
    });
  });

  it('warns if frames or transparency are lost', async () => {
    const image = writeGif({ width: 2, height: 1, indices: [0, 1], frames: 3, transparentIndex: 1 });
    const answer = await postImage('/v1/sanitize', image, { response: 'json', pixelate: { faces: false } });
    const { report } = (await answer.json()) as { report: Record<string, unknown> };
    expect(report.warningCodes).toEqual(['frames_dropped', 'flattened']);
  });
});

describe('a bad request', () => {
  it.each([
    [{ pixelate: { strength: 40 } }, 'pixelate.strength'],
    [{ output: { quality: 29 } }, 'output.quality'],
    [{ output: { maxWidth: 15 } }, 'output.maxWidth'],
    [{ output: { format: 'avif' } }, 'output.format'],
    [{ response: 'xml' }, 'response'],
    [{ crop: { x: 0, y: 0, width: 0, height: 1 } }, 'crop.width'],
    [{ crop: { x: 60, y: 0, width: 5, height: 5 } }, 'crop'],
    [{ pixelate: { regions: [{ x: 0, y: 0, w: -1, h: 1 }] } }, 'pixelate.regions.0.w'],
    [{ sharpen: 1 }, 'sharpen'],
  ])('with ops %j is 400 invalid_ops with an issue for %s; the next request is served', async (ops, path) => {
    const answer = await postImage('/v1/sanitize', files.get('png')!, ops);
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as { error: string; issues: { path: string; message: string }[] };
    expect(body.error).toBe('invalid_ops');
    expect(body.issues.map((issue) => issue.path)).toContain(path);
    expect(body.issues[0]!.message).toMatch(/^Expected .* but received /);
    expect((await postImage('/v1/sanitize', files.get('png')!, noFaces)).status).toBe(200);
  });

  it.each([
    ['an empty body', new Uint8Array(0), 400],
    ['text', new TextEncoder().encode('hello, this is no image'), 422],
    ['HTML', new TextEncoder().encode('<!doctype html><html><body>hi</body></html>'), 422],
    ['PDF', new TextEncoder().encode('%PDF-1.7\n1 0 obj'), 422],
    ['SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 422],
  ])('with %s as image is refused with a message', async (_name, bytes, status) => {
    const answer = await postImage('/v1/sanitize', bytes, noFaces);
    expect(answer.status).toBe(status);
    const body = (await answer.json()) as { error: string; message: string };
    expect(body.error).toBe(status === 400 ? 'bad_request' : 'unprocessable_image');
    expect(body.message.length).toBeGreaterThan(20);
  });
});

// At more places: sanitize.slow.test.ts.
refusesTruncated(12);

describe('an AVIF whose shown layer is predicted from a lower one', () => {
  const refusal = async (obus: Uint8Array, size: { width: number; height: number }) => {
    const answer = await postImage('/v1/sanitize', greenOverRed({ obus, ...size }), noFaces);
    return { status: answer.status, ...((await answer.json()) as { error: string; message: string }) };
  };

  it.each(outputs)('comes out as that layer, without its metadata, as %s', async (format) => {
    const file = greenOverRed({ exif: 'taken at home' });
    expect(scan(file)!.blocks).toHaveLength(1);
    const answer = await postImage('/v1/sanitize', file, { ...noFaces, output: { format } });
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ format, width: 32, height: 16, blocks: [], complete: true });
    using raster = await decoders[format].open(bytes, facts, {});
    const { pixels } = readPicture(raster);
    // Red is what it is predicted from.
    for (let i = 0; i < pixels.length; i += 4) {
      expect(pixels[i]).toBeLessThan(8);
      expect(pixels[i + 1]).toBeGreaterThan(247);
    }
  });

  it('is refused by its size before it is decoded, where the layers do not fit into the memory', async () => {
    const size = { width: 3000, height: 2500 };
    const { error, message, status } = await refusal(resizedGreenOverRed(3000, 2500), size);
    expect([status, error]).toEqual([422, 'unprocessable_image']);
    expect(message).toContain('3000 × 2500 AVIF');
  });

  it('is refused where its data are wrong, and the next is served', async () => {
    const obus = greenOverRedObus();
    for (const at of [40, 46, 52, 58]) {
      const size = { width: 32, height: 16 };
      expect(await refusal(obus.slice().fill(0x55, at), size)).toMatchObject({ status: 422 });
    }
    expect((await postImage('/v1/sanitize', greenOverRed(), noFaces)).status).toBe(200);
  });
});
