import { describe, expect, it, vi } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import type { InspectResult } from '../../../src/ops/responses.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { profiles } from '../../fixtures/icc_writer.ts';
import { randomJpeg } from '../../fixtures/jpeg_writer/samples.ts';
import { exifSegment, jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { allFixtures } from '../../fixtures/metadata/all.ts';
import { gpsFields } from '../../fixtures/metadata/payloads.ts';
import { positionFiles } from '../../fixtures/metadata/position_files.ts';
import { fullExif, valueFiles } from '../../fixtures/metadata/value_files.ts';
import { pngChunk, writePng } from '../../fixtures/png_writer.ts';
import { profileChunk } from '../../fixtures/profiled_files.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../../fixtures/samples.ts';
import { bodyForms, postImage } from '../../fixtures/service.ts';
import { tagJpeg } from '../../fixtures/tagged_jpeg.ts';

const picture = photoPicture(40, 30, 2);

describe('POST /v1/inspect', () => {
  it.each(inputFormats)('reports a %s without metadata', async (format) => {
    const file = await sampleFile(format, picture);
    const answer = await postImage('/v1/inspect', file);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      format,
      width: 40,
      height: 30,
      bytes: file.length,
      has_gps: false,
      orientation: 1,
      frames: 1,
      complete: true,
      colour_space: 'untagged',
    });
  });

  it('names the space of a profile that is compressed, as those of PNGs are', async () => {
    const png = writePng({ width: 2, height: 2, colourType: 2, early: [profileChunk(profiles.displayP3())] });
    const answer = await postImage('/v1/inspect', png);
    expect(await answer.json()).toMatchObject({ colour_space: 'Display P3' });
  });

  it('says how much of the picture a JPEG kept, and nothing of that for others', async () => {
    const answer = await postImage('/v1/inspect', await sampleFile('jpeg', picture));
    const { jpeg } = (await answer.json()) as { jpeg: { quality: number; chroma_halved: boolean } };
    expect(jpeg).toEqual({ quality: expect.any(Number), chroma_halved: expect.any(Boolean) });
    expect(jpeg.quality).toBeGreaterThan(50);
    const other = await postImage('/v1/inspect', await sampleFile('png', picture));
    expect(await other.json()).not.toHaveProperty('jpeg');
  });

  it.each(bodyForms)('lists every metadata block of a file, sent as %s', async (form) => {
    const file = tagJpeg(await sampleFile('jpeg', picture), {
      orientation: 6,
      gps: gpsFields,
      thumbnail: true,
    });
    const answer = await postImage('/v1/inspect', file, undefined, { form });
    const result = (await answer.json()) as {
      metadata_blocks_present: string[];
      blocks: { name: string; bytes: number }[];
    };
    expect(result).toMatchObject({ width: 40, height: 30, orientation: 6, has_gps: true, complete: true });
    expect([...result.metadata_blocks_present].sort()).toEqual(['exif', 'gps', 'thumbnail']);
    expect(result.blocks.map(({ name }) => name).sort()).toEqual(['exif', 'gps', 'thumbnail']);
    for (const { bytes } of result.blocks) expect(bytes).toBeGreaterThan(0);
  });

  it('accepts files with more pixels than sanitize does', async () => {
    const header = new Uint8Array(13);
    new DataView(header.buffer).setUint32(0, 100_000);
    new DataView(header.buffer).setUint32(4, 100_000);
    header.set([8, 2, 0, 0, 0], 8);
    const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
    const parts = [
      signature,
      pngChunk('IHDR', header),
      pngChunk('IDAT', Uint8Array.of(1)),
      pngChunk('IEND', new Uint8Array(0)),
    ];
    const file = new Uint8Array(parts.flatMap((part) => [...part]));
    const answer = await postImage('/v1/inspect', file);
    expect(await answer.json()).toMatchObject({ format: 'png', width: 100_000, height: 100_000 });
    const refused = await postImage('/v1/sanitize', file);
    expect(refused.status).toBe(422);
    expect(((await refused.json()) as { message: string }).message).toContain('at most 50 megapixels');
  });

  it('tells of a position exactly where its values have one', async () => {
    const files: { name: string; bytes: Uint8Array<ArrayBuffer>; said?: unknown }[] = [
      ...positionFiles,
      ...allFixtures,
    ];
    for (const { name, bytes: file, said } of files) {
      const answer = await postImage('/v1/inspect', file, { values: true });
      const { has_gps: hasGps, values } = (await answer.json()) as InspectResult;
      expect(hasGps, name).toBe((values!.place?.positions.length ?? 0) > 0);
      if (said !== undefined) expect(hasGps, name).toBe(said !== null);
    }
  });

  it.each(bodyForms)('gives values where they are asked for, sent as %s', async (form) => {
    const file = jpeg({ width: 1600, height: 900, head: exifSegment(fullExif()) });
    const ask = async (ops?: unknown) => (await postImage('/v1/inspect', file, ops, { form })).json();
    const plain = (await ask()) as InspectResult;
    expect(plain).not.toHaveProperty('values');
    expect(await ask({ values: false, thumbnails: true })).toEqual(plain);
    const { values, ...rest } = (await ask({ values: true })) as InspectResult;
    expect(rest).toEqual(plain);
    expect(values!.place!.positions[0]).toMatchObject({
      latitude: -48.858222222,
      longitude: -2.2945,
      block: 'gps',
    });
    expect(values!.device).toContainEqual({
      kind: 'run_id',
      value: '90061.5 s',
      block: 'makernote',
      field: 'Apple:RunTime',
    });
    expect(values!.thumbnails).toMatchObject([{ block: 'thumbnail', encoding: 'jpeg', differs: true }]);
    expect(values!.thumbnails[0]).not.toHaveProperty('image');
  });

  it('gives thumbnails themselves where they are asked for', async () => {
    const file = jpeg({ head: exifSegment(fullExif()) });
    const answer = await postImage('/v1/inspect', file, { values: true, thumbnails: true });
    const [thumbnail] = ((await answer.json()) as InspectResult).values!.thumbnails;
    const image = Uint8Array.fromBase64(thumbnail!.image!);
    expect(image.length).toBe(thumbnail!.bytes);
    expect(scan(image)).toMatchObject({ format: 'jpeg', width: 16, height: 12 });
  });

  it.each(valueFiles)('answers as described: $name', async ({ bytes }) => {
    // postImage holds every answer against the description
    expect((await postImage('/v1/inspect', bytes, { values: true, thumbnails: true })).status).toBe(200);
  });

  it('lets no value reach a log line', async () => {
    const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));
    try {
      for (const { bytes } of valueFiles) {
        await postImage('/v1/inspect', bytes, { values: true, thumbnails: true });
        await postImage('/v1/inspect', bytes.subarray(0, bytes.length / 2), { values: true });
        // a refused call, too
        await postImage('/v1/inspect', bytes, { values: 'Erika Mustermann' });
      }
      for (const spy of spies) expect(spy.mock.calls).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('reports what is hidden behind the last MCU of a JPEG', async () => {
    const modes = ['baseline', 'progressive'] as const;
    for (const mode of modes) {
      const file = writeJpeg(randomJpeg({ width: 64, height: 40, sampling: [[1, 1]], mode }));
      const hiding = bytes(file.subarray(0, -2), 'payload', file.subarray(-2));
      const results = await Promise.all(
        [file, hiding].map(async (image) => {
          const answer = await postImage('/v1/inspect', image);
          return (await answer.json()) as InspectResult;
        }),
      );
      expect(results.map(({ blocks }) => blocks)).toEqual([
        [],
        [expect.objectContaining({ name: 'unknown', bytes: 7 })],
      ]);
      expect(results[1]!.metadata_blocks_present).toEqual(['unknown']);
    }
  });

  it('reports a truncated file as incomplete', async () => {
    const file = await sampleFile('png', picture);
    const answer = await postImage('/v1/inspect', file.subarray(0, file.length - 20));
    expect(await answer.json()).toMatchObject({ format: 'png', complete: false });
  });

  it('refuses files that are not images, and unknown options', async () => {
    expect((await postImage('/v1/inspect', new TextEncoder().encode('%PDF-1.4 something'))).status).toBe(422);
    const answer = await postImage('/v1/inspect', await sampleFile('png', picture), { deep: true });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toBe('invalid_ops');
  });
});
