/**
 * Fields of package.json that state where its sources are. npm's provenance compares `repository` with the
 * repository named in a build's identity token.
 */

/**
 * The address of the sources: in GitHub Actions and GitLab CI/CD from the variables of every job, in any
 * other checkout from its `origin`.
 * @param {Record<string, string | undefined>} env
 * @param {string | undefined} origin of the checkout, as git reports it
 * @returns an https address without name, password or `.git`; undefined if none is known
 */
export function sourceAddress(env, origin) {
  if (env.GITHUB_ACTIONS && env.GITHUB_SERVER_URL && env.GITHUB_REPOSITORY) {
    return webAddress(`${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`);
  }
  if (env.GITLAB_CI && env.CI_PROJECT_URL) return webAddress(env.CI_PROJECT_URL);
  return webAddress(origin);
}

/** @param {string} address as `sourceAddress` returns it */
export function sourceFields(address) {
  const repository = { type: 'git', url: `git+${address}.git` };
  const host = hostOf(address);
  const issues = host && `${address}${host === 'gitlab' ? '/-' : ''}/issues`;
  return issues ? { repository, homepage: `${address}#readme`, bugs: { url: issues } } : { repository };
}

/**
 * The address at which GitHub or GitLab shows a file of the newest sources.
 * @param {string | undefined} repository its address, in any form of git
 * @param {string} path from the repository's root
 * @returns undefined if it is not known
 */
export function fileAddress(repository, path) {
  const address = webAddress(repository);
  const host = address && hostOf(address);
  if (!host) return undefined;
  return `${address}${host === 'gitlab' ? '/-' : ''}/blob/HEAD/${encodeURI(path)}`;
}

/** Which of the two services runs at an address, judging by its name. */
function hostOf(address) {
  return /(?:^|\.)(github|gitlab)\./.exec(new URL(address).hostname)?.[1];
}

/**
 * The fields that a package.json needs in order to be published from there.
 * @param {{ repository?: string | { url?: string } }} manifest
 * @param {string | undefined} address as `sourceAddress` returns it
 * @returns the fields that it lacks
 * @throws Error if no address is known, or if it differs from the manifest's
 */
export function missingFields(manifest, address) {
  const named = typeof manifest.repository === 'string' ? manifest.repository : manifest.repository?.url;
  if (address === undefined) {
    if (named) return {};
    throw new Error(
      'package.json names no repository, and neither the environment nor the remote `origin` does. npm needs ' +
        'one for provenance: publish from GitHub Actions or GitLab CI/CD, or name it in package.json.',
    );
  }
  if (!named) return sourceFields(address);
  if (webAddress(named)?.toLowerCase() === address.toLowerCase()) return {};
  throw new Error(`package.json names the repository ${named}, but this is ${address}: npm would refuse it.`);
}

/** Converts a git address of any form to one that a browser can open. */
export function webAddress(address = '') {
  const text = address.trim().replace(/^git\+/, '');
  // git-clone(1): user@host:path, the short form of ssh.
  const short = /^(?:[^@/:]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(text);
  const full = short ? `ssh://${short[1]}/${short[2]}` : text;
  if (!URL.canParse(full)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(full);
  if (!/^(?:https?|ssh|git):$/.test(protocol)) return undefined;
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  // A name without a dot belongs to this machine or its network: nobody else could open it.
  if (!hostname.includes('.') || !/^\/[^/]+\/./.test(path)) return undefined;
  // The port of ssh is not that of the web server.
  return `https://${/^http/.test(protocol) ? host : hostname}${path}`;
}
