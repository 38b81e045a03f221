/**
 * A file that needs the browser or starts a fleet of gateways must say so in its name, so that `npm test`, which runs
 * only some groups, stays fast.
 */
import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../support/gateway/gateway.ts';

const files = globSync('test/**/*.test.ts', { cwd: root });

/** Helpers that put a file into a group if it imports them, directly or through other helpers. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['test/support/browser/browser-page.ts', 'browser'],
  ['test/support/fleet/fleet.ts', 'fleet'],
];

/** Lists the modules of `test/` that a file loads. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !file.startsWith('test/') || !file.endsWith('.ts')) return seen;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, path = ''] of text.matchAll(/^(?:import|export) (?!type )[^']*'(\.[^']+)'/gm)) {
    loaded(normalize(join(dirname(file), path)), seen);
  }
  return seen;
}

test.each(GROUPS)('a test file that imports %s is named *.%s.test.ts', (helper, group) => {
  const importing = files.filter((file) => loaded(file).has(helper));
  expect(importing.length).toBeGreaterThan(0);
  expect(importing.filter((file) => !file.endsWith(`.${group}.test.ts`))).toEqual([]);
});
