import { webAddress } from '../package/repository.mjs';

/**
 * Inserts a link to the sources at `<!-- source:words -->`; removes the words if package.json names no
 * repository, since only the builder knows the address.
 * @param {string} html
 * @param {string | undefined} repository its address, in any form of git
 */
export function withSourceLink(html, repository) {
  const address = webAddress(repository);
  return html.replace(/<!-- source:(.*?) -->/g, (_, words) =>
    address ? `<a href="${encodeURI(address)}">${words}</a> ` : '',
  );
}
