import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { licenceOf, packageOf, worksInside } from '../serve/notices.mjs';

/**
 * The licence texts of bundled packages and works, as their licences require.
 * @param inputs paths of the bundled files
 * @throws if a package has no licence text to include
 */
export function noticesOf(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? madeOf(path)),
  );
  const notices = [...packages].sort().map((name) => {
    const folder = `node_modules/${name}`;
    if (!existsSync(folder)) return `${name}\n\n${licenceOf(name, 'node_modules')}`.trim();
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, 'utf8') : '';
    if (!license) throw new Error(`${name} names no licence`);
    const inner = worksInside(name).map((work) => `${work}\n\n${licenceOf(work, 'node_modules')}`);
    return [`${name} ${version} (${license})`, text.trim(), ...inner].join('\n\n').trim();
  });
  const rule = `\n\n${'-'.repeat(78)}\n\n`;
  return `Packages of others in this one, and their licences.\n\n${notices.join(rule)}\n`;
}

/** The package that a built module comes from, or the work that a model is. */
const madeOf = (path) =>
  /(?:dist\/\w+\.wasm|models\/\w+\.onnx)$/.test(path) ? (packageOf(basename(path)) ?? []) : [];
