import { getuid } from 'node:process';
import { corpusPresent } from '../fixtures/corpus.ts';
import type { AllowedSkip } from './skips.ts';

const withoutCorpus = (name: string): AllowedSkip => ({
  name,
  why: 'there is no corpus of real and broken files',
  holds: !corpusPresent,
});

/** The tests that `.ci/run` lets be skipped; it prints those that were. */
export const allowedSkips: readonly AllowedSkip[] = [
  {
    name: 'test/cli/write_file.node.test.ts > tells of a folder that it may not write to',
    why: 'root may write everywhere',
    holds: getuid?.() === 0,
  },
  {
    name: 'test/cli/program.slow.node.test.ts > a run that cannot write or read > stops at a full disk, with whole files and a true sum',
    why: 'unshare may not mount a file system in every container',
  },
  {
    name: 'test/served/full_disk.slow.node.test.ts',
    why: 'only root may mount a small disk, and not in every container',
  },
  ...[
    'test/browser/avif_pictures.test.ts > AVIF files of the corpus',
    'test/codecs/gif/corpus.slow.node.test.ts',
    'test/codecs/jpeg/corpus.slow.node.test.ts',
    'test/codecs/jpeg/encoder_corpus.slow.node.test.ts',
    'test/codecs/png/corpus.slow.node.test.ts',
    'test/codecs/tiff/corpus.slow.node.test.ts',
    'test/codecs/webp/corpus.slow.node.test.ts',
    'test/core/av1/corpus.slow.node.test.ts',
    'test/corpus.slow.node.test.ts',
    'test/library/yunet.slow.node.test.ts',
    'test/metadata/corpus.slow.node.test.ts',
    'test/metadata/values/exiftool.slow.node.test.ts',
    'test/pixels/colour/corpus.slow.node.test.ts',
    'test/served/mcp.slow.node.test.ts',
    'test/served/same_bytes.slow.node.test.ts',
  ].map(withoutCorpus),
];
