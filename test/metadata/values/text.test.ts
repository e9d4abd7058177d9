import { describe, expect, it } from 'vitest';
import { Cursor, WORK_AT_ONCE } from '../../../src/metadata/cursor.ts';
import { Payloads } from '../../../src/metadata/payloads.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { readValuesInParts } from '../../../src/metadata/values/read_values.ts';
import { textAt } from '../../../src/metadata/values/text.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { jpeg, segment } from '../../fixtures/jpeg_writer/segments.ts';
import { filled } from '../../fixtures/metadata/hostile_files.ts';
import { C2PA_TYPE } from '../../fixtures/metadata/payloads.ts';
import { png } from '../../fixtures/metadata/small_png.ts';
import { packetOf, superbox } from '../../fixtures/metadata/value_files.ts';
import { pngChunk } from '../../fixtures/png_writer.ts';
import { undefinedBytes, writeTiffStructure } from '../../fixtures/tiff_structure.ts';

/** More than one call of fromCharCode takes; longer ones are cut. */
const LENGTH = 8000;
const latin = new Uint8Array(LENGTH).fill(0xe9);
const TEXTS = 250;
/** Work of a byte that is decoded, at the least: it takes so many times as long as one that is searched. */
const EACH = 16;

describe('textAt', () => {
  it.each([
    ['UTF-8', bytes('a', 0xc3, 0xa9), 'aé'],
    ['Latin-1, which is no UTF-8', bytes('a', 0xe9, 0x80, 'b'), 'aé\u0080b'],
    ['a long text of Latin-1', latin, 'é'.repeat(LENGTH)],
  ])('reads %s', (_name, data, text) => {
    expect(textAt(new Cursor(data), 0, data.length)).toBe(text);
  });
});

/** Work that is told of while the values of a file are read, part by part. */
function partsOf(file: Uint8Array): number[] {
  const cursor = new Cursor(file);
  const payloads = new Payloads();
  const facts = scan(file, cursor, payloads)!;
  cursor.meter.pause();
  return [...readValuesInParts(cursor, facts, payloads), cursor.meter.pause()];
}

it('counts what each dataset of an IPTC record takes, however short it is', () => {
  const empty = filled([], bytes(0x1c, 1, 120, 0, 0), 500 * 5);
  const parts = partsOf(writeTiffStructure([[undefinedBytes(33_723, empty)]]));
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(500 * 256);
});

/** A claim of a C2PA manifest: a list of texts. */
const claim = superbox(
  C2PA_TYPE,
  'c2pa',
  superbox(
    bytes('c2ma', C2PA_TYPE.subarray(4)),
    'urn:uuid:1',
    superbox(
      bytes('c2cl', C2PA_TYPE.subarray(4)),
      'c2pa.claim.v2',
      (() => {
        const list = bytes(
          0x98,
          TEXTS,
          filled([], bytes(0x79, LENGTH >> 8, LENGTH & 255, latin), TEXTS * (3 + LENGTH)),
        );
        const length = list.length + 8;
        return bytes(
          [length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255],
          'cbor',
          list,
        );
      })(),
    ),
  ),
);
const dataset = bytes(0x1c, 2, 120, LENGTH >> 8, LENGTH & 255, latin);
const items = bytes(Array.from({ length: TEXTS }, () => ['<rdf:li>', latin, '</rdf:li>']));
const packet = packetOf('', '<dc:subject><rdf:Bag>@</rdf:Bag></dc:subject>').split('@') as [string, string];

describe('decoding texts is counted, so that it gives turns: Latin-1 of', () => {
  it.each([
    ['C2PA', png({ head: pngChunk('caBX', claim) })],
    ['IPTC', writeTiffStructure([[undefinedBytes(33_723, filled([], dataset, TEXTS * dataset.length))]])],
    ['XMP', png({ head: pngChunk('iTXt', 'XML:com.adobe.xmp', 0, 0, 0, 0, 0, packet[0], items, packet[1]) })],
    ['comments', jpeg({ head: Array.from({ length: TEXTS }, () => segment(0xfe, latin)) })],
    [
      'texts of a PNG',
      png({ head: Array.from({ length: TEXTS }, () => pngChunk('tEXt', 'Comment', 0, latin)) }),
    ],
  ])('%s', (_name, file) => {
    const parts = partsOf(file);
    for (const part of parts) expect(part).toBeLessThan(1.5 * WORK_AT_ONCE);
    const work = parts.reduce((sum, part) => sum + part, 0);
    expect(work).toBeGreaterThan(EACH * LENGTH * TEXTS);
  });
});
