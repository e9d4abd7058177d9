import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOWNS_NOTICE } from '../playground/towns.mjs';

/** Works that are in the bundle or the pages but not in a source map. */
const UNMAPPED = ['lcms-wasm', '@scalar/api-reference', 'GeoNames'];

/** Files of the bundle other than JavaScript, with the package or work each comes from; null for our own. */
const BINARIES = {
  'core.wasm': null,
  'face_detector.onnx': null,
  'readable_detector.onnx': null,
  'yunet_n.onnx': 'YuNet',
  'lcms.wasm': 'lcms-wasm',
  'libavif.wasm': '@jsquash/avif',
  'ort-wasm-simd-threaded.wasm': 'onnxruntime-web',
};

/** Models of the operator's own detectors; complying with their licences is up to the operator. */
const OPERATORS = /^detector\.[a-z0-9-]+\.onnx$/;

/**
 * Works without a licence file: built into a package under another name, or left out of it. The holders are
 * those named in the works' own repositories.
 */
const MIT_HOLDERS = {
  'onnxruntime-web': 'Copyright (c) 2018 - present Microsoft Corporation',
  'onnxruntime-common': 'Copyright (c) 2018 - present Microsoft Corporation',
  '@scalar/api-reference': 'Copyright (c) 2023-present Scalar',
  'content-type': 'Copyright(c) 2015 Douglas Christopher Wilson',
  '@cfworker/json-schema': 'Copyright (c) Jeremy Danyow',
  'Little CMS': 'Copyright (c) 1998-2023 Marti Maria Saguer',
  YuNet: 'Copyright (c) 2020 Shiqi Yu <shiqi.yu@gmail.com>',
};
const BSD_HOLDERS = {
  libaom: 'Copyright (c) 2016, Alliance for Open Media. All rights reserved.',
  libavif:
    'Copyright 2019 Joe Drago. All rights reserved.\nCopyright © 2018-2019, VideoLAN and dav1d authors. All rights reserved.',
};

/** Works inside a package, which are listed next to it. */
const INSIDE = { 'lcms-wasm': ['Little CMS'], '@jsquash/avif': ['libaom', 'libavif'] };

/** Names in source maps that are not names of packages, or only of a part of one, with the actual package. */
const PART_OF = {
  '@modelcontextprotocol/core-internal': '@modelcontextprotocol/core',
  common: 'onnxruntime-common',
};

/**
 * Names of all third-party works in a bundle.
 * @param {readonly string[]} sources paths in the bundle's source map
 * @param {readonly string[]} files of the bundle; their names may begin with a hash
 * @returns {string[]} sorted by name
 * @throws {Error} for a binary of unknown origin
 */
export function bundledWorks(sources, files) {
  const names = new Set(UNMAPPED);
  for (const source of sources) {
    // The innermost package: packages may contain others.
    const name = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1];
    if (name) names.add(PART_OF[name] ?? name);
  }
  for (const file of files.filter((path) => /\.(?:wasm|onnx)$/.test(path))) {
    const owner = packageOf(file.replace(/^[0-9a-f]{40}-/, ''));
    if (owner) names.add(owner);
  }
  for (const name of [...names]) for (const inner of worksInside(name)) names.add(inner);
  return [...names].sort();
}

/**
 * The package of a binary, by its name; null for our own.
 * @throws {Error} if it is unknown
 */
export function packageOf(binary) {
  if (OPERATORS.test(binary)) return null;
  if (!Object.hasOwn(BINARIES, binary)) throw new Error(`Whose is ${binary}? scripts/serve/notices.mjs`);
  return BINARIES[binary];
}

/** Works that are built into a third-party package. */
export const worksInside = (name) => INSIDE[name] ?? [];

/**
 * The notices that everyone who redistributes the bundle must include.
 * @param {readonly string[]} works
 * @param {string} modules folder of the packages
 * @throws {Error} for a work of unknown licence
 */
export function noticesText(works, modules) {
  const notices = works.map((name) => {
    const manifest = join(modules, name, 'package.json');
    const { version = '' } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
    return `${`${name} ${version}`.trim()}\n\n${licenceOf(name, modules).trim()}\n`;
  });
  return `The bundle of the image sanitizer contains these works of others.\n\n${notices.join(`\n${RULE}\n\n`)}`;
}

const RULE = '-'.repeat(80);

/** The licence of a work, which may be inside a package of the folder `modules`. */
export function licenceOf(name, modules) {
  const folder = join(modules, name);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const texts = files
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  if (name === 'GeoNames') return TOWNS_NOTICE;
  if (Object.hasOwn(BSD_HOLDERS, name)) return `BSD 2-Clause License\n\n${BSD_HOLDERS[name]}\n\n${BSD}`;
  if (!Object.hasOwn(MIT_HOLDERS, name)) throw new Error(`No licence of ${name}: scripts/serve/notices.mjs`);
  return `MIT License\n\n${MIT_HOLDERS[name]}\n\n${MIT}`;
}

/** The MIT licence (https://spdx.org/licenses/MIT.html), to follow its copyright line. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;

/** The BSD 2-clause licence (https://spdx.org/licenses/BSD-2-Clause.html), to follow its copyright line. */
const BSD = `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`;
