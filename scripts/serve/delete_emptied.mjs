// Deletes files left by objects of earlier versions: they are empty, but named by the hash of a network, with
// the time of its call. Runs before the runtime, alone with the folder.
// usage: delete_emptied.mjs <folder of the objects>
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Bytes of a database without tables; newer data may be in its write-ahead log. */
const EMPTY_BYTES = 4096;

const [, , objects] = process.argv;
const folder = join(objects, 'CallMeter');
const names = existsSync(folder) ? readdirSync(folder) : [];
const emptied = names.filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name) && isEmptied(join(folder, name)));
for (const name of emptied)
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true });
const alarms = join(folder, 'metadata.sqlite');
if (emptied.length > 0 && existsSync(alarms)) {
  const database = new DatabaseSync(alarms);
  // Until then, the file still contains the names of objects whose alarms have fired.
  database.exec('VACUUM');
  database.close();
}

function isEmptied(path) {
  if (statSync(path).size > EMPTY_BYTES) return false;
  const database = new DatabaseSync(path);
  try {
    // Also deletes objects that were only looked up: only a key has tables.
    return database.prepare('SELECT COUNT(*) AS tables FROM sqlite_master').get().tables === 0;
  } finally {
    database.close();
  }
}
