import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Parts of the paths of files that take long. One that begins last is waited for while the other workers are idle. */
const LONG = [
  'test/console/',
  'test/shared/',
  'test/history/exact',
  'test/server/drain',
  'test/main',
  'test/edge/streaming',
  'test/telemetry/log/logger',
  'test/storage/postgres/',
  'test/fuzz/',
];

/** Long files first: as Jest remembers from the last run, and where it has no memory, as on a new machine, those above. */
export default class LongFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => Number(isUnknownAndLong(b)) - Number(isUnknownAndLong(a)));
  }
}

function isUnknownAndLong({ duration, path, context }) {
  if (duration !== undefined) return false;
  const name = relative(context.config.rootDir, path);
  return LONG.some((part) => name.startsWith(part));
}
