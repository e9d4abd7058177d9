import { posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';

/**
 * The text of a document with links that a reader of the package can follow: to files in it as they are, to
 * other files of the repository by an address; where none is known, the link's text, and the file's name.
 * @param {string} text Markdown
 * @param {string} path of the document, from the repository's root
 * @param {readonly string[]} packed files and folders of the package, from the repository's root
 * @param {(path: string) => string | undefined} addressOf where a file of the repository is shown
 * @throws Error for a picture that is not in the package, and for a link that is written as a definition
 */
export function linkFromPackage(text, path, packed, addressOf) {
  const isPacked = (target) => packed.some((one) => target === one || target.startsWith(`${one}/`));
  let linked = text;
  // From the last to the first, so that places of earlier ones stay.
  for (const { type, url, children, position } of linksOf(fromMarkdown(text)).reverse()) {
    const [name, anchor] = url.split('#');
    if (name === '' || URL.canParse(url)) continue;
    const target = posix.join(posix.dirname(path), decodeURI(name));
    if (isPacked(target)) continue;
    if (type !== 'link') throw new Error(`${path} shows or defines ${url}, which is not in the package`);
    const label = text.slice(children[0]?.position.start.offset, children.at(-1)?.position.end.offset);
    const address = addressOf(target);
    const named = label.includes(target) ? label : `${label} (${target})`;
    const instead = address ? `[${label}](${address}${anchor ? `#${anchor}` : ''})` : named;
    linked = linked.slice(0, position.start.offset) + instead + linked.slice(position.end.offset);
  }
  return linked;
}

/** Links, pictures and definitions below a node, in the order of the text. */
function linksOf(node) {
  if (['link', 'image', 'definition'].includes(node.type)) return [node];
  return (node.children ?? []).flatMap(linksOf);
}
