import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Most attempts at a database that is rewritten, opened or closed while it is read. */
const MOST_TRIES = 50;
const PAUSE_MS = 20;

/**
 * Copies the counters of a server, which may be running. Each copied database shows one moment, no earlier
 * than the call: calls of its key are in it completely or not at all. Copies are verified, and contain no
 * deleted rows.
 * @param {string} data folder of the counters
 * @param {string} to folder that is created, completely or not at all; only its owner can read it
 * @returns {{ databases: number, bytes: number }}
 * @throws {Error} with words for people: `data` is not a folder of counters, `to` exists, or a file can't be
 * read
 */
export function copyCounters(data, to) {
  const objects = join(data, 'objects');
  if (!existsSync(objects)) throw new Error(`${data} is no folder of counters: it has no folder objects`);
  if (existsSync(to)) throw new Error(`${to} is there already`);
  const unfinished = `${to}.${process.pid}.unfinished`;
  try {
    const copies = databasesOf(objects).map((path) => {
      const copy = join(unfinished, 'objects', path);
      mkdirSync(join(copy, '..'), { recursive: true, mode: 0o700 });
      copyDatabase(join(objects, path), copy);
      return statSync(copy).size;
    });
    mkdirSync(join(unfinished, 'objects'), { recursive: true, mode: 0o700 });
    renameSync(unfinished, to);
    return { databases: copies.length, bytes: copies.reduce((sum, size) => sum + size, 0) };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function databasesOf(objects) {
  return readdirSync(objects, { recursive: true }).filter((path) => path.endsWith('.sqlite'));
}

function copyDatabase(path, copy) {
  for (let tried = 1; ; tried++) {
    try {
      if (isInUse(path)) copyShared(path, copy);
      else copyIdle(path, copy);
      return checkWhole(copy);
    } catch (error) {
      rmSync(copy, { force: true });
      if (tried === MOST_TRIES) throw new Error(`${path}: ${error.message}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/** A database that is open, or was open when its process was killed, has a write-ahead log. */
const isInUse = (path) => existsSync(`${path}-wal`);

/** Copies as an additional reader: in WAL mode neither reader nor server waits for the other. */
function copyShared(path, copy) {
  vacuumInto(new DatabaseSync(path, { readOnly: true }), copy);
}

/**
 * Copies without locks, which would block an object that is just opening its database. If that happens, the
 * copy may mix two moments, and is made again.
 */
function copyIdle(path, copy) {
  const before = statSync(path, { bigint: true });
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  vacuumInto(new DatabaseSync(address, { readOnly: true }), copy);
  const after = statSync(path, { bigint: true });
  if (isInUse(path) || after.mtimeNs !== before.mtimeNs || after.size !== before.size)
    throw new Error('it is written to all the time');
}

function vacuumInto(database, copy) {
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
}

function checkWhole(copy) {
  const database = new DatabaseSync(copy, { readOnly: true });
  try {
    const { integrity_check: found } = database.prepare('PRAGMA integrity_check').get();
    if (found !== 'ok') throw new Error(`the copy is broken: ${found}`);
  } finally {
    database.close();
  }
}
