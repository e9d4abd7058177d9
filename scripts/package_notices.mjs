import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * The licences of the packages that are bundled, as they ask for.
 * @param inputs paths of the bundled files
 * @throws where a package has no licence text that could be carried
 */
export function noticesOf(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const notices = [...packages].sort().map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, 'utf8') : '';
    if (!license) throw new Error(`${name} names no licence`);
    return `${name} ${version} (${license})\n\n${text.trim()}`.trim();
  });
  const rule = `\n\n${'-'.repeat(78)}\n\n`;
  return `Packages of others in this one, and their licences.\n\n${notices.join(rule)}\n`;
}
