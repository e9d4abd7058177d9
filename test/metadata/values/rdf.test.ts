import { describe, expect, it } from 'vitest';
import { Cursor, WORK_AT_ONCE } from '../../../src/metadata/cursor.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { RdfReader } from '../../../src/metadata/values/rdf.ts';
import { UNKNOWN } from '../../../src/metadata/values/xmp_namespaces.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { packetOf } from '../../fixtures/metadata/value_files.ts';

/** Every property of known namespaces of a packet: path, numbers of items, text. */
function properties(packet: string): string[] {
  const found: string[] = [];
  const cursor = new Cursor(bytes(packet));
  const reader = new RdfReader(cursor, (path, items, text) => {
    const isKnown = !path.includes(UNKNOWN);
    if (isKnown && text().trim() !== '')
      found.push(`${path} ${items.join('.')} ${text()}`.replace(/ {2,}/g, ' '));
  });
  resultOf(reader.read());
  return found;
}
const inside = (content: string, attributes = '') => properties(packetOf(attributes, content));

describe('RDF of XMP', () => {
  it('knows namespaces by their names, whatever their prefixes', () => {
    const renamed = packetOf('', '<x1:title xmlns:x1="http://purl.org/dc/elements/1.1/">a</x1:title>');
    expect(properties(renamed)).toEqual(['dc:title a']);
    expect(inside('<dc:title xmlns:dc="urn:other">a</dc:title><dc:title>b</dc:title>')).toEqual([
      'dc:title b',
    ]);
    expect(inside('<nobody:title>a</nobody:title><title>b</title>')).toEqual([]);
  });

  it('passes over what is of no known namespace, with all that it holds', () => {
    expect(inside('<q:a xmlns:q="urn:q"><dc:title>a</dc:title></q:a><dc:source>b</dc:source>')).toEqual([
      'dc:source b',
    ]);
  });

  it('takes properties as elements, attributes and resources', () => {
    expect(inside('<dc:source rdf:resource="r"/>', 'dc:title="t"')).toEqual(['dc:title t', 'dc:source r']);
    expect(
      inside('<mm:DerivedFrom ref:documentID="d"><ref:instanceID>i</ref:instanceID></mm:DerivedFrom>'),
    ).toEqual(['xmpMM:DerivedFrom/stRef:documentID d', 'xmpMM:DerivedFrom/stRef:instanceID i']);
    expect(inside('<dc:title rdf:parseType="Resource"><rdf:value>v</rdf:value></dc:title>')).toEqual([
      'dc:title v',
    ]);
  });

  it('numbers the items of lists, and of lists within them', () => {
    const list =
      '<rdf:Bag><rdf:li>a</rdf:li><rdf:li><dc:title><rdf:Seq><rdf:li>b</rdf:li></rdf:Seq></dc:title>';
    expect(inside(`<dc:subject>${list}</rdf:li></rdf:Bag></dc:subject>`)).toEqual([
      'dc:subject[] 0 a',
      'dc:subject[]/dc:title[] 1.0 b',
    ]);
  });

  it('resolves the five entities and characters by number, and no other', () => {
    const text = '&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&amp;lt;&other;&#xFFFFFF;&#0;';
    expect(inside(`<dc:title>${text}</dc:title>`)).toEqual([`dc:title <>&"'AB&lt;&other;&#xFFFFFF;&#0;`]);
  });

  it('stops at a document type: entities cannot be declared', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>';
    expect(properties(bomb + packetOf('dc:title="t"', ''))).toEqual([]);
    expect(inside('<dc:title>a</dc:title><!ELEMENT b><dc:source>b</dc:source>')).toEqual(['dc:title a']);
  });

  it.each([
    ['an attribute without quotes', '<dc:title a=b>x</dc:title>'],
    ['an attribute without a value', '<dc:title a>x</dc:title>'],
    ['a tag that never ends', '<dc:title "'],
    ['a lone slash', '<dc:title / >x</dc:title>'],
    ['no name', '<>x</>'],
    ['a name beyond all bounds', `<dc:${'a'.repeat(300)}>x</dc:title>`],
  ])('stops at %s', (_, content) => {
    expect(inside(`<dc:source>a</dc:source>${content}<dc:rights>b</dc:rights>`)).toEqual(['dc:source a']);
  });

  it.each([
    ['comments', '<!--', '<!--'],
    ['CDATA', '<![CDATA[', ']]'],
    ['instructions', '<?', '?'],
    ['end tags', '</', 'a'],
  ])('gives way within what never ends: %s were looked through at once, for 0.12 s', (_, begin, part) => {
    const pauses = [
      ...new RdfReader(new Cursor(bytes(`<a>${begin}`, part.repeat(3_000_000))), () => {}).read(),
    ];
    expect(pauses.length).toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBeLessThan(4 * WORK_AT_ONCE);
  });

  it('stops at what is nested too deep', () => {
    const deep = (depth: number) => '<rdf:Bag>'.repeat(depth) + '</rdf:Bag>'.repeat(depth);
    expect(inside(`${deep(45)}<dc:title>a</dc:title>`)).toEqual(['dc:title a']);
    expect(inside(`${deep(46)}<dc:title>a</dc:title>`)).toEqual([]);
  });

  it('ends with the outermost element', () => {
    expect(properties(packetOf('', '') + packetOf('dc:title="second"', ''))).toEqual([]);
  });

  it('forgets prefixes where the element that declared them ends', () => {
    const one = '<z:a xmlns:z="http://purl.org/dc/elements/1.1/">1</z:a><z:a>2</z:a>';
    expect(inside(one)).toEqual(['dc:a 1']);
    expect(
      inside(`${'<z:a xmlns:z="http://purl.org/dc/elements/1.1/"/>'.repeat(1000)}<dc:b>2</dc:b>`),
    ).toEqual(['dc:b 2']);
  });
});
