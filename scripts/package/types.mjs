import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Writes the types of the package's entries below `out`/types. The types of ops and answers are generated
 * from their schemas as plain types, which need no other package.
 */
export async function writeTypes(out) {
  const temporary = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    const declarations =
      '--noEmit false --declaration --emitDeclarationOnly --rewriteRelativeImportExtensions'.split(' ');
    const tsc = [
      'node_modules/typescript/bin/tsc',
      '-p',
      'src/library',
      ...declarations,
      '--outDir',
      temporary,
    ];
    execFileSync(process.execPath, tsc, { stdio: 'inherit' });
    for (const folder of ['client', 'src/library']) {
      // Including files that are not exported: the types refer to each other by path.
      cpSync(join(temporary, folder), `${out}/types/${folder}`, { recursive: true });
    }
    for (const name of readdirSync(`${out}/types`, { recursive: true })) {
      if (!name.endsWith('.d.ts')) continue;
      const path = `${out}/types/${name}`;
      writeFileSync(path, forOlderCompilers(readFileSync(path, 'utf8')));
    }
    for (const folder of ['ops', 'detectors']) mkdirSync(`${out}/types/src/${folder}`, { recursive: true });
    for (const path of [
      'ops/account',
      'ops/schema',
      'ops/error_body',
      'ops/found',
      'ops/health',
      'ops/responses',
      'detectors/manifest',
    ]) {
      writeFileSync(`${out}/types/src/${path}.d.ts`, await plainTypes(`src/${path}.ts`, temporary));
    }
    for (const path of ['detectors/detector', 'detectors/onnx_runtime']) {
      const text = readFileSync(join(temporary, `src/${path}.d.ts`), 'utf8');
      writeFileSync(`${out}/types/src/${path}.d.ts`, forOlderCompilers(text));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Makes declarations that TypeScript 5.2 can read. Up to 5.6 `Uint8Array` has no type parameter, and its
 * `slice` returns what is called `Uint8Array<ArrayBuffer>` from then on. A project need not list the library
 * of `Disposable`.
 */
function forOlderCompilers(text) {
  const older = text.replace(/\b(Uint8(?:Clamped)?Array)<ArrayBuffer>/g, "ReturnType<$1['slice']>");
  return /\bDisposable\b/.test(text) ? `/// <reference lib="esnext.disposable" />\n${older}` : older;
}

/** The exported types of a file of schemas: `z.input`, `z.output` and the members of a list. */
async function plainTypes(path, temporary) {
  const bundle = join(temporary, 'schemas.mjs');
  const stdin = {
    contents: `export * from './${path}';\nexport * from './src/ops/values.ts';\nexport { z } from 'zod';`,
    resolveDir: process.cwd(),
  };
  await build({
    stdin,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module'],
    outfile: bundle,
  });
  const schemas = await import(`${pathToFileURL(bundle)}?${path}`);
  const source = readFileSync(path, 'utf8');
  const declarations = source.matchAll(/^export type (\w+) = (.+);$/gm);
  const passedOn = [...source.matchAll(/^export type \{.+\} from '\.\/\w+\.ts';$/gm)].map(
    ([text]) => `${text.replace(/\.ts';$/, ".js';")}\n`,
  );
  const own = [...declarations].map(([, name, definition]) => {
    const [, io, schema] = /^z\.(input|output)<typeof (\w+)>$/.exec(definition) ?? [];
    if (schema && !(schema in schemas)) throw new Error(`${path} does not export ${schema}`);
    const [, list] = /^\(typeof (\w+)\)\[number\]$/.exec(definition) ?? [];
    if (!schemas[schema ?? list]) throw new Error(`${path} exports no schema for ${name}`);
    const type = schema ? jsonSchema(schemas.z, schemas[schema], io) : { enum: schemas[list] };
    return `${comment(type.description, '')}export type ${name} = ${typeOf(type, '')};\n`;
  });
  return [...passedOn, ...own].join('\n');
}

/** As zod's, where a transform, which only fills in what is absent, changes no type. */
function jsonSchema({ toJSONSchema }, schema, io) {
  const override = ({ zodSchema, jsonSchema: given }) => {
    const { type, in: before } = zodSchema._zod.def;
    if (io === 'output' && type === 'pipe') Object.assign(given, toJSONSchema(before, { io }));
  };
  return toJSONSchema(schema, { io, unrepresentable: 'any', override });
}

const comment = (description, indent) => (description ? `${indent}/** ${description} */\n` : '');

/**
 * A JSON Schema in zod's form as a TypeScript type. @throws for anything that no schema of this project uses
 */
function typeOf(schema, indent) {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.map((one) => typeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      if (!schema.prefixItems) return `Array<${typeOf(schema.items, indent)}>`;
      return `[${schema.prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`;
    case 'object':
      if (schema.properties) return objectType(schema, indent);
      return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`;
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}`);
  }
}

function objectType({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const type = `${typeOf(schema, inner)}${isOptional ? ' | undefined' : ''}`;
    return `${comment(schema.description, inner)}${inner}${name}${isOptional ? '?' : ''}: ${type};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}
