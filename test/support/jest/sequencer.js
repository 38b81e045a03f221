import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The slow test files, by group and by path prefix. If one of these started last, the other workers would be idle. */
const LONG_GROUP = /\.(?:browser|fleet|slow)\.test\.ts$/;
const LONG = [
  'test/control-plane/accounts/postgres',
  'test/control-plane/portal/isolation',
  'test/control-plane/registry/postgres',
  'test/data-plane/admission/resilient/',
  'test/data-plane/edge/refusals',
  'test/data-plane/edge/streaming',
  'test/deploy/image-files',
  'test/http/drain-server',
  'test/main',
  'test/rules/emitters',
  'test/storage/postgres',
  'test/telemetry/traces/receiver',
];

/**
 * Runs slow files first, by their duration in the last run. Files without a known duration are ordered by the list
 * above.
 */
export default class LongFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => Number(isUnknownAndLong(b)) - Number(isUnknownAndLong(a)));
  }
}

function isUnknownAndLong({ duration, path, context }) {
  if (duration !== undefined) return false;
  const name = relative(context.config.rootDir, path);
  return LONG_GROUP.test(name) || LONG.some((part) => name.startsWith(part));
}
