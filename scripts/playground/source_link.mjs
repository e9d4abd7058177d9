import { webAddress } from '../package/repository.mjs';

/**
 * A document with a link to the sources where it says `<!-- source:words -->`; without them where
 * package.json names no repository, since only the builder knows its address.
 * @param {string} html
 * @param {string | undefined} repository its address, in any form of git
 */
export function withSourceLink(html, repository) {
  const address = webAddress(repository);
  return html.replace(/<!-- source:(.*?) -->/g, (_, words) =>
    address ? `<a href="${encodeURI(address)}">${words}</a> ` : '',
  );
}
