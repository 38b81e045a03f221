import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecret, isWellFormed } from '../../src/domain/key-format.ts';

describe('the documented pattern for secret scanners', () => {
  const root = join(import.meta.dirname, '../..');
  const page = readFileSync(join(root, 'docs/operators/keys.md'), 'utf8');
  const pattern = /```\n(\\btg_live_.*)\n```/.exec(page)?.[1] ?? 'none';

  test('matches every key', () => {
    for (const secret of Array.from({ length: 1000 }, generateSecret)) {
      expect(new RegExp(pattern, 'g').exec(`key="${secret}",`)?.[0]).toBe(secret);
    }
  });

  test('matches nothing but keys in the whole repository', () => {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
    // Leave out deleted files, which Git still lists until the deletion is committed.
    const files = listed.map((file) => join(root, file)).filter((file) => file !== root && existsSync(file));
    const matches = files.flatMap((file) => readFileSync(file, 'latin1').match(new RegExp(pattern, 'g')) ?? []);
    expect(matches.length).toBeGreaterThan(0);
    expect(matches.filter((match) => !isWellFormed(match))).toEqual([]);
  });
});
