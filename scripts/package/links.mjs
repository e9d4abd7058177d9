import { posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';

/**
 * Adapts the links of a document for readers of the package. Links to packaged files stay; links to other
 * files of the repository become addresses; if no address is known, only the link's text and the file's name
 * remain.
 * @param {string} text Markdown
 * @param {string} path of the document, from the repository's root
 * @param {readonly string[]} packed files and folders of the package, from the repository's root
 * @param {(path: string) => string | undefined} addressOf the web address of a file of the repository
 * @throws Error for a picture that is not in the package, and for a link that is written as a definition
 */
export function linkFromPackage(text, path, packed, addressOf) {
  const isPacked = (target) => packed.some((one) => target === one || target.startsWith(`${one}/`));
  let linked = text;
  // From last to first, so that earlier positions stay valid.
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

/** Links, pictures and definitions below a node, in document order. */
function linksOf(node) {
  if (['link', 'image', 'definition'].includes(node.type)) return [node];
  return (node.children ?? []).flatMap(linksOf);
}
