import { reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';

/** Files share a runtime; no file sees what an earlier one has stored. */
beforeAll(reset);
