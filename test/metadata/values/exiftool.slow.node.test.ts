import { describe, expect, it } from 'vitest';
import { corpusPresent } from '../../fixtures/corpus.ts';
import { compareCorpus, haveExiftool, reasonFor, reasons } from './corpus_agreement.ts';

describe.skipIf(!haveExiftool || !corpusPresent)('values and exiftool, on the corpus', () => {
  const compared = haveExiftool && corpusPresent ? compareCorpus() : [];
  const groupOf = (tag: string) => tag.slice(0, tag.indexOf(':'));

  it('have much to agree on, of every source', () => {
    expect(compared.length).toBeGreaterThan(1000);
    const groups = new Set(compared.map(({ tag }) => groupOf(tag)));
    for (const group of [
      'IFD0',
      'ExifIFD',
      'Composite',
      'IPTC',
      'PNG',
      'Canon',
      'XMP-dc',
      'XMP-iptcExt',
      'IFD1',
    ]) {
      expect(groups).toContain(group);
    }
  });

  it('agree but where a reason is known', () => {
    const unexplained = compared.filter((each) => !each.agrees && reasonFor(each) === undefined);
    expect(unexplained).toEqual([]);
  });

  it('differ for no reason that is of no use', () => {
    const used = new Set(compared.filter(({ agrees }) => !agrees).map(reasonFor));
    expect([...used].sort()).toEqual([...reasons].sort());
  });

  it('agree on every coordinate, to a millionth of a degree', () => {
    const coordinates = compared.filter(({ tag }) => /GPS(?:Latitude|Longitude)$/.test(tag));
    expect(coordinates.length).toBeGreaterThan(30);
    expect(coordinates.filter(({ agrees }) => !agrees)).toEqual([]);
  });
});
