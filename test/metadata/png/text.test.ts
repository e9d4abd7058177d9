import { describe, expect, it } from 'vitest';
import { MAX_UNPACKED } from '../../../src/metadata/png/text.ts';
import { hasPosition } from '../../../src/metadata/values/values.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { EMPTY_BLOCKS } from '../../fixtures/metadata/hostile_files.ts';
import { GPS_ATTRIBUTES, xmpPacket } from '../../fixtures/metadata/payloads.ts';
import { png } from '../../fixtures/metadata/small_png.ts';
import { pngChunk, zlibStored } from '../../fixtures/png_writer.ts';
import { valuesOf } from '../values/read.ts';

const packet = pngChunk('iTXt', 'XML:com.adobe.xmp', 0, 1, 0, 0, 0, zlibStored(xmpPacket(GPS_ATTRIBUTES)));
/** A text of a zlib stream whose deflate blocks hold nothing: `length` bytes of them, at least. */
const emptyText = (length: number) => {
  const blocks = Array.from({ length: Math.ceil(length / EMPTY_BLOCKS.length) }, () => EMPTY_BLOCKS);
  return pngChunk('zTXt', 'Raw profile type exif', 0, 0, 0x78, 1, blocks);
};
const hasGps = (...texts: Uint8Array[]) => hasPosition(valuesOf(png({ head: texts }))!);

describe('the compressed texts of a PNG', () => {
  it('hold empty blocks that any reader takes', async () => {
    const end = bytes(3, 0);
    const stream = new Blob([EMPTY_BLOCKS, end]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    expect((await new Response(stream).arrayBuffer()).byteLength).toBe(0);
  });

  it('are bounded by what is inflated from, too: blocks that hold nothing make no output', () => {
    expect(hasGps(packet)).toBe(true);
    expect(hasGps(emptyText(1000), packet)).toBe(true);
    expect(hasGps(emptyText(MAX_UNPACKED), packet)).toBe(false);
    expect(hasGps(emptyText(MAX_UNPACKED / 2), emptyText(MAX_UNPACKED / 2), packet)).toBe(false);
  });

  it('are bounded in number, too', () => {
    const texts = Array.from({ length: 256 }, () => emptyText(1));
    expect(hasGps(...texts.slice(1), packet)).toBe(true);
    expect(hasGps(...texts, packet)).toBe(false);
  });
});
