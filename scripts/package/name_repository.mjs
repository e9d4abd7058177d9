// The first step of `npm run release`: writes the address of the sources into package.json. npm's provenance
// needs it, and only the builder knows it. `npm run pack` works without it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { missingFields, sourceAddress } from './repository.mjs';

// npm runs this in the package's folder.
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' });
try {
  const fields = missingFields(manifest, sourceAddress(process.env, stdout ?? undefined));
  if (Object.keys(fields).length > 0) {
    writeFileSync('package.json', `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
    console.log(`package.json now names ${fields.repository.url}; it is to be committed.`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
