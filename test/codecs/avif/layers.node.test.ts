import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { CodedFrame } from '../../fixtures/av1/layered_streams.ts';
import { yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { decodeByAvifdec, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { av1C, avif, box, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { u16 } from '../../fixtures/bytes.ts';

/** operating_point_idc of spatial layers 0 and 1, and of 0 alone. */
const [BOTH, BASE] = [0x301, 0x101];

const a1op = (point: number) => box('a1op', point);
const lsel = (layer: number) => box('lsel', u16(layer));
/** Bytes of all layers but the last. */
const a1lx = (bytes: number) => box('a1lx', 0, u16(bytes), u16(0), u16(0));

describe.skipIf(!haveAomTools || !haveAvifTools)('layers of an AVIF', () => {
  const whole = new CodedFrame(yuvPicture('photo', 150, 100, '420', 8, 3));
  const base = new CodedFrame(yuvPicture('photo', 130, 70, '420', 8, 4));
  const form = { type: 'intra-only', layer: 1, refresh: 2 } as const;
  const [lower, upper] = [base.frame({ layer: 0 }, whole), whole.frame(form)];
  const predicted = whole.frame({ ...form, type: 'inter' });
  const head = [...whole.sequence([BOTH, BASE]), ...lower];

  const fileOf = (
    [width, height]: readonly [number, number],
    chosen: readonly Uint8Array[],
    behind: readonly number[] = upper,
  ) => {
    const properties = [ispe(width, height), pixi(8, 8, 8), av1C(0x0c), nclx(1, 13, 1), ...chosen];
    const extents = [Uint8Array.from(head), Uint8Array.from(behind)];
    const indices = properties.map((_, index) => index + 1);
    const optional = chosen[0]?.[7] === 'x'.charCodeAt(0) ? [5] : [];
    return avif({
      items: [{ id: 1, type: 'av01', extents, properties: indices, optional }],
      properties,
    });
  };

  it.each([
    ['the highest, which a1lx lets others show one by one', [150, 100], [a1lx(head.length)]],
    ['the highest, where lsel asks for all', [150, 100], [a1lx(head.length), lsel(0xffff)]],
    ['the one that lsel chooses', [130, 70], [lsel(0)]],
    ['the higher one that lsel chooses', [150, 100], [lsel(1)]],
    ['that of the operating point', [130, 70], [a1op(1)]],
  ] as const)('the picture is %s', async (_, size, chosen) => {
    const bytes = fileOf(size, chosen);
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ width: size[0], height: size[1] });
    const { pixels } = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await decodeByAvifdec(bytes, 8);
    expect([theirs.width, theirs.height]).toEqual(size);
    let most = 0;
    for (let i = 0; i < pixels.length; i++) most = Math.max(most, Math.abs(pixels[i]! - theirs.pixels[i]!));
    expect(most).toBeLessThanOrEqual(6);
  });

  it('what decoding the chosen one holds is known from the headers, behind the data of others', () => {
    expect(scan(fileOf([150, 100], []))!.avif!.colour.decoderBytes).toBeGreaterThan(
      scan(fileOf([130, 70], [lsel(0)]))!.avif!.colour.decoderBytes,
    );
  });

  it('a lower one comes out where it is chosen, whatever is predicted from it', async () => {
    const bytes = fileOf([130, 70], [lsel(0)], predicted);
    const facts = scan(bytes)!;
    expect(facts.avif!.predicted).toBeUndefined();
    await expect(decodeWhole(avifDecoder, { bytes, facts })).resolves.toBeDefined();
  });

  it('one of another size than its header promises is refused, not stretched', async () => {
    const bytes = fileOf([150, 100], [lsel(0)]);
    await expect(decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! })).rejects.toThrow(
      'promises 150 × 100',
    );
  });
});
