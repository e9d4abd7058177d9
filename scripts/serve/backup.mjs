// `npm run backup -- --data /var/lib/image-sanitizer --to /backups/today`: copies the counters while the
// server runs. The copy can be used as a folder for --data.
import { parseArgs } from 'node:util';
import { copyCounters } from './copy_counters.mjs';

const { data, to } = commandLine();
try {
  const { databases, bytes } = copyCounters(data, to);
  console.log(`${databases} databases, ${(bytes / 1e6).toFixed(1)} MB, in ${to}`);
} catch (error) {
  console.error(`No backup was made: ${error.message}`);
  process.exitCode = 1;
}

function commandLine() {
  const usage = `npm run backup -- --data <folder> --to <folder>
  --data  folder of the counters, as npm run serve has it
  --to    folder that is made; it must not be there yet`;
  try {
    const options = { data: { type: 'string' }, to: { type: 'string' } };
    const { values } = parseArgs({ options });
    if (values.data && values.to) return values;
  } catch (error) {
    console.error(error.message);
  }
  console.error(usage);
  return process.exit(1);
}
