import { type Sayable, sentences } from '../metadata/values/sentences.ts';
import type { InspectResult, MetadataValues } from '../ops/responses.ts';
import { printableLines } from './printable.ts';

/**
 * What a file reveals, as text for a person.
 * @param thumbnails whether to describe each embedded thumbnail separately
 */
export function inspectText(path: string, result: InspectResult, thumbnails = false): string {
  const { format, width, height, clean_aperture: shown, blocks, values, complete } = result;
  const cropped = shown ? ` cropped to ${shown.width} × ${shown.height}` : '';
  const head = `${path}: ${format.toUpperCase()}, ${width} × ${height} pixels${cropped}${complete ? '' : ', incomplete'}`;
  const said = values && blocks.length > 0 ? sentences(values as Sayable).map(spaced) : [];
  const names = [...new Set(blocks.map(({ name }) => name))].join(', ');
  const carried = blocks.length > 0 ? `Metadata: ${names}` : 'It carries no metadata.';
  const embedded = thumbnails && values ? thumbnailLines(values) : [];
  return printableLines([head, ...[...said, carried, ...embedded].map((line) => `  ${line}`)]);
}

/** Puts a sentence on one line: values may contain line breaks. */
const spaced = (sentence: string) => sentence.replace(/\s+/g, ' ');

function thumbnailLines({ thumbnails }: MetadataValues): string[] {
  if (thumbnails.length === 0) return ['It embeds no thumbnail.'];
  return thumbnails.map(({ encoding, width, height, bytes, block, image }) => {
    const size = width > 0 && height > 0 ? `, ${width} × ${height} pixels` : '';
    const where = image === undefined ? '' : '; --json has the picture itself';
    return `Thumbnail in ${block}: ${encoding.toUpperCase()}${size}, ${bytes} bytes${where}`;
  });
}
