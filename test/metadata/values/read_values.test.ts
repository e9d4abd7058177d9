import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blockNames } from '../../../src/metadata/block_names.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { Payloads } from '../../../src/metadata/payloads.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { MAX_THUMBNAIL_BYTES } from '../../../src/metadata/values/thumbnails.ts';
import { MAX_CHARACTERS, MAX_LIST } from '../../../src/metadata/values/values.ts';
import { bytes } from '../../fixtures/bytes.ts';
import {
  exifSegment,
  jpeg,
  photoshopSegment,
  segment,
  xmpSegment,
} from '../../fixtures/jpeg_writer/segments.ts';
import { allFixtures } from '../../fixtures/metadata/all.ts';
import { resource } from '../../fixtures/metadata/payloads.ts';
import { png } from '../../fixtures/metadata/small_png.ts';
import { packetOf, valueFiles } from '../../fixtures/metadata/value_files.ts';
import { pngChunk } from '../../fixtures/png_writer.ts';
import { ascii, child, rational, writeTiffStructure } from '../../fixtures/tiff_structure.ts';
import { valuesOf, valuesOfKind } from './read.ts';

const read = (name: string, options?: { thumbnails?: boolean }) =>
  valuesOf(valueFiles.find((file) => file.name === name)!.bytes, options)!;
const pairs = (list: readonly { kind: string; value: string }[]) =>
  list.map(({ kind, value }) => `${kind}: ${value}`);

describe.each(['Exif, big-endian', 'Exif, little-endian'])('%s', (name) => {
  const values = read(name);

  it('tells the place, to the tenth of a second', () => {
    const [position, ...others] = values.place!.positions;
    expect(others).toEqual([]);
    expect(position).toEqual({
      kind: 'camera',
      latitude: expect.closeTo(-(48 + 51 / 60 + 29.6 / 3600), 9),
      longitude: expect.closeTo(-(2 + 17 / 60 + 40.2 / 3600), 9),
      altitude: -12.5,
      direction: 270.5,
      accuracy: 4.7,
      time: '2024-05-31T15:02:11Z',
      block: 'gps',
      field: 'GPSLatitude',
    });
    expect(values.place!.names).toEqual([
      { kind: 'area', value: 'Trocadero', block: 'gps', field: 'GPSAreaInformation' },
    ]);
  });

  it('takes the day of the year that some phones write for the day of the month', () => {
    const stamp = (date: string) => {
      const place = child(34853, [ascii(29, date), rational(6, 1, 1)]);
      return valuesOf(jpeg({ head: exifSegment(writeTiffStructure([[place]])) }))!.place!.positions[0]!.time;
    };
    expect(stamp('2014:09:259')).toBe('2014-09-16');
    expect(stamp('2016:12:366')).toBe('2016-12-31');
    expect(stamp('2014:09:16')).toBe('2014-09-16');
    expect(stamp('2014:09:999')).toBeUndefined();
  });

  it('tells times with fraction and offset, each where it is known', () => {
    expect(pairs(values.times)).toEqual([
      'modified: 2024-06-01T09:00:00+02:00',
      'taken: 2024-05-31T17:02:11.250+02:00',
      'digitised: 2024-05-31T17:02:12',
    ]);
  });

  it('tells the device, its maker note included', () => {
    expect(pairs(values.device)).toEqual([
      'maker: Apple',
      'model: iPhone 99',
      'software: 17.4.1',
      'host_computer: iPhone 99',
      'owner: Erika Mustermann',
      'body_serial: SN-0042',
      'lens: Prime 28mm f/1.8',
      'lens_serial: LN-7',
      'run_id: 90061.5 s',
      'run_id: 0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0',
    ]);
    const blocks = new Set(values.device.map(({ block }) => block));
    expect([...blocks]).toEqual(['exif', 'makernote']);
  });

  it('tells people and texts in UTF-8, Latin-1 and UTF-16', () => {
    expect(pairs(values.people)).toEqual(['author: Jörg Muster', 'copyright: (c) 2024 Muster']);
    expect(pairs(values.texts)).toEqual([
      'caption: A café by the river',
      'keyword: river;café',
      'prompt: Steps: 20, Sampler: Euler',
      'image_id: 00112233445566778899aabbccddeeff',
      'image_id: A1A1A1A1-B2B2-C3C3-D4D4-E5E5E5E5E5E5',
    ]);
  });
});

describe('thumbnails', () => {
  it('of another aspect ratio than the picture are told from others', () => {
    const common = { block: 'thumbnail', field: 'IFD1', encoding: 'jpeg', width: 16, height: 12 };
    const [wide] = read('Exif, big-endian').thumbnails;
    expect(wide).toEqual({ ...common, bytes: expect.any(Number), differs: true });
    // the picture of this file has 16 × 8
    const [same] = read('thumbnails').thumbnails.slice(-1);
    expect(same).toMatchObject({ field: 'Photoshop', width: 8, height: 4, differs: false });
  });

  it('of every kind are listed, and given where they are asked for and are JPEGs', () => {
    const list = (thumbnails: boolean) => read('thumbnails', { thumbnails }).thumbnails;
    const found = list(false).map(({ field, encoding, width, height }) => [field, encoding, width, height]);
    expect(found).toEqual([
      ['JFIF', 'samples', 2, 1],
      ['JFXX', 'jpeg', 4, 2],
      ['JFXX', 'samples', 1, 1],
      ['Photoshop', 'jpeg', 8, 4],
    ]);
    expect(list(false).some(({ image }) => image !== undefined)).toBe(false);
    const given = list(true).map(({ image }) => image && scan(image)!.complete);
    expect(given).toEqual([undefined, true, undefined, true]);
  });

  it('are listed without the picture beyond what may be given', () => {
    const large = bytes(0xff, 0xd8, new Uint8Array(60_000));
    const count = Math.ceil(MAX_THUMBNAIL_BYTES / large.length) + 1;
    const head = Array.from({ length: count }, () => segment(0xe0, 'JFXX', 0, 0x10, large));
    const values = valuesOf(jpeg({ head }), { thumbnails: true })!;
    expect(values.thumbnails).toHaveLength(count);
    expect(values.thumbnails.filter(({ image }) => image).length).toBe(count - 2);
    expect(values.cut).toBe(true);
  });

  it('of a multi-picture index and of AVIF items are found', () => {
    const [preview] = read('large thumbnail of a multi-picture index', { thumbnails: true }).thumbnails;
    expect(preview).toMatchObject({ block: 'mpf', width: 64, height: 48, encoding: 'jpeg', differs: true });
    expect(scan(preview!.image!)).toMatchObject({ width: 64, height: 48 });
    const [item] = read('AVIF thumbnail').thumbnails;
    expect(item).toMatchObject({ encoding: 'av1', width: 10, height: 10, bytes: 5, differs: true });
    const [units] = read('AVIF thumbnail of units', { thumbnails: true }).thumbnails;
    // Of the item's nine bytes, three of metadata stay behind.
    expect(Array.from(units!.image!.slice(-6))).toEqual([0x0a, 2, 0, 0, 0x30, 7]);
  });
});

describe('IPTC', () => {
  const values = read('IPTC');

  it('tells texts, people and places in Latin-1', () => {
    expect(pairs(values.texts)).toEqual([
      'title: Title of it',
      'keyword: one',
      'keyword: two',
      'caption: What is seen',
    ]);
    expect(pairs(values.people)).toEqual(['author: Zoë']);
    expect(pairs(values.place!.names)).toEqual(['city: Paris', 'country: France']);
    expect(values.place!.positions).toEqual([]);
    expect(values.times).toEqual([
      { kind: 'taken', value: '2024-05-30T17:02:11+02:00', block: 'iptc', field: 'DateCreated' },
    ]);
  });

  it('is read to where it breaks', () => {
    const broken = bytes(0x1c, 2, 5, 0, 1, 'x', 0x1c, 2, 25, 0, 99, 'y');
    const found = valuesOf(jpeg({ head: photoshopSegment(resource(0x0404, broken)) }))!;
    expect(pairs(found.texts)).toEqual(['title: x']);
  });
});

describe.each(['XMP', 'XMP in UTF-16'])('%s', (name) => {
  const values = read(name);

  it('tells places, each of its kind', () => {
    const places = values.place!.positions.map(({ kind, latitude, longitude }) => [
      kind,
      latitude,
      longitude,
    ]);
    expect(places).toEqual([
      ['camera', 48.858333333, -2.294444444],
      ['camera', 10.5, -20.25],
      ['shown', 52.52, 13.41],
    ]);
    expect(values.place!.positions[0]!.altitude).toBe(-50);
    expect(pairs(values.place!.names)).toEqual(['city: Paris', 'city: Berlin']);
  });

  it('tells people and their faces, by the corner', () => {
    expect(valuesOfKind(values, 'people', 'author')).toEqual(['Ann <ann@example.org>', 'Bob']);
    expect(valuesOfKind(values, 'people', 'contact')).toEqual(['ann@example.org']);
    expect(valuesOfKind(values, 'people', 'person')).toEqual(['Ann']);
    const regions = values.people.filter(({ kind }) => kind === 'region');
    expect(regions.map(({ value, area }) => [value, area])).toEqual([
      ['Ann', { x: 0.4, y: 0.2, w: 0.2, h: 0.1 }],
      ['', { x: 0.05, y: 0.05, w: 0.1, h: 0.1 }],
      ['Bob', { x: 0.1, y: 0.2, w: 0.3, h: 0.4 }],
    ]);
  });

  it('tells texts, history and identifiers', () => {
    expect(valuesOfKind(values, 'texts', 'caption')).toEqual(['Two people']);
    expect(valuesOfKind(values, 'texts', 'keyword')).toEqual(['<b>']);
    expect(valuesOfKind(values, 'texts', 'edit')).toEqual(['created, 2024-05-31', 'saved, Editor']);
    expect(valuesOfKind(values, 'texts', 'document_id')).toEqual(['xmp.did:1', 'xmp.did:0']);
    expect(valuesOfKind(values, 'texts', 'instance_id')).toEqual(['xmp.iid:0']);
    expect(pairs(values.device)).toEqual(['software: Editor & Co 1.0']);
    expect(pairs(values.times)).toEqual(['digitised: 2024-05-31T17:02:11+02:00', 'modified: 2024-06']);
  });
});

describe('other sources', () => {
  it('comments of JPEG and GIF', () => {
    expect(pairs(read('comments').texts)).toEqual(['comment: made by hand', 'comment: glücklich']);
    expect(read('GIF comments').texts).toEqual([
      { kind: 'comment', value: 'made by hand', block: 'comment', field: 'Comment' },
    ]);
  });

  it('texts of PNG, packed or not', () => {
    const values = read('PNG texts');
    expect(pairs(values.texts).slice(0, 5)).toEqual([
      'prompt: a cat\nSteps: 20, Sampler: Euler, Seed: 7',
      'workflow: {"nodes":[]}',
      'title: Glück',
      'comment: packed',
      'text: of',
    ]);
    expect(values.people[0]).toEqual({ kind: 'author', value: 'Jörg', block: 'text', field: 'Author' });
    expect(pairs(values.times).slice(0, 2)).toEqual([
      'taken: 2024-05-31T17:02:11',
      'modified: 2024-06-01T07:08:09Z',
    ]);
    // the packet in a text chunk is XMP
    expect(valuesOfKind(values, 'people', 'person')).toEqual(['Ann']);
    expect(values.texts.some(({ field }) => field.startsWith('XML'))).toBe(false);
  });

  it.each(['C2PA in two segments', 'PNG texts', 'WebP with C2PA'])('C2PA: %s', (name) => {
    expect(read(name).provenance).toEqual({
      validated: false,
      block: 'c2pa',
      field: 'C2PA',
      manifests: [
        {
          label: 'urn:uuid:1',
          generator: 'Painter 3.1',
          title: 'a.jpg',
          actions: [
            {
              action: 'c2pa.created',
              when: '2024-05-31T15:02:11Z',
              software: 'Painter',
              source_type: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
            },
          ],
        },
      ],
    });
  });
});

describe('limits', () => {
  it('cuts long texts and says so', () => {
    const long = 'é'.repeat(MAX_CHARACTERS + 1);
    const { texts, cut } = valuesOf(
      png({ head: pngChunk('iTXt', 'Title', 0, 0, 0, 0, 0, new TextEncoder().encode(long)) }),
    )!;
    expect(texts).toEqual([
      { kind: 'title', value: long.slice(1), cut: true, block: 'text', field: 'Title' },
    ]);
    expect(cut).toBe(true);
  });

  it('inflates 64 texts of a PNG, and says so where there are more', () => {
    const title = (_: unknown, i: number) => pngChunk('zTXt', 'Title', 0, 0, deflateSync(`${i}`));
    const texts = (count: number) => valuesOf(png({ head: Array.from({ length: count }, title) }))!;
    expect([texts(64).texts.length, texts(64).cut]).toEqual([64, false]);
    expect([texts(65).texts.length, texts(65).cut]).toEqual([64, true]);
  });

  it('never tears a pair of surrogates', () => {
    const text = `${'a'.repeat(MAX_CHARACTERS - 1)}😀😀`;
    const chunk = pngChunk('iTXt', 'Title', 0, 0, 0, 0, 0, new TextEncoder().encode(text));
    expect(valuesOf(png({ head: chunk }))!.texts[0]!.value).toBe('a'.repeat(MAX_CHARACTERS - 1));
  });

  it('gives a hundred of a kind, and the others still', () => {
    const items = Array.from({ length: MAX_LIST + 1 }, (_, n) => `<rdf:li>word ${n}</rdf:li>`).join('');
    const packet = packetOf(
      '',
      `<dc:subject><rdf:Bag>${items}</rdf:Bag></dc:subject><dc:source>me</dc:source>`,
    );
    const values = valuesOf(jpeg({ head: xmpSegment(packet) }))!;
    expect(valuesOfKind(values, 'texts', 'keyword')).toHaveLength(MAX_LIST);
    expect(valuesOfKind(values, 'texts', 'source')).toEqual(['me']);
    expect(values.cut).toBe(true);
    expect(read('XMP').cut).toBe(false);
  });

  it('says a thing once for one field of one kind of block', () => {
    const payload = writeTiffStructure([[ascii(271, 'ACME')], [ascii(271, 'ACME'), ascii(272, '')]]);
    const values = valuesOf(jpeg({ head: [exifSegment(payload), exifSegment(payload)] }))!;
    expect(pairs(values.device)).toEqual(['maker: ACME']);
  });

  it('tells what is known of a place without coordinates', () => {
    const { positions } = valuesOf(
      jpeg({ head: xmpSegment(packetOf('exif:GPSAltitude="47/1" exif:GPSLatitude="1,0N"', '')) }),
    )!.place!;
    expect(positions).toEqual([
      { kind: 'camera', unreadable: true, altitude: 47, block: 'xmp', field: 'exif:GPSLatitude' },
    ]);
  });

  it('drops what is no time, and marks what is no place on earth', () => {
    const packet = packetOf(
      'exif:GPSLatitude="91,0N" exif:GPSLongitude="0,0E" exif:DateTimeOriginal="0000:00:00 00:00:00"',
      '',
    );
    const values = valuesOf(jpeg({ head: xmpSegment(packet) }))!;
    expect(values.place!.positions).toEqual([
      { kind: 'camera', unreadable: true, block: 'xmp', field: 'exif:GPSLatitude' },
    ]);
    expect(values.times).toEqual([]);
    // not a time, and still said
    expect(pairs(values.texts)).toEqual(['text: 0000:00:00 00:00:00']);
  });
});

it('every value names a block that the scan has found', () => {
  for (const { name, bytes: file } of [...valueFiles, ...allFixtures]) {
    const found = new Set<string>(blockNames(scan(file)!));
    const values = valuesOf(file)!;
    const { times, device, people, texts, thumbnails, provenance, place } = values;
    const all = [...times, ...device, ...people, ...texts, ...thumbnails];
    if (provenance) all.push(provenance as never);
    if (place) all.push(...([...place.names, ...place.positions] as never[]));
    for (const { block } of all) expect(found, `${name}: ${block}`).toContain(block);
  }
});

it('a scan without payloads keeps none, and finds the same', () => {
  for (const { bytes: file } of [...valueFiles, ...allFixtures]) {
    expect(scan(file, new Cursor(file), new Payloads())).toEqual(scan(file));
  }
});
