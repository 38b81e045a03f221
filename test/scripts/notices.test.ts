/** Licenses require that their text is distributed with the package, so a missing text must be reported. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readNotice, writeNotices } from '../../scripts/notices/notices.ts';
import { listProductionPackages } from '../../scripts/notices/production-packages.ts';
import { root } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

/** Creates the folder of a package that has these files. */
function packageWith(files: Readonly<Record<string, string>>, more: object = { license: 'MIT' }): string {
  const path = join(folder.path, String(Math.random()));
  mkdirSync(join(path, 'licenses'), { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'some-package', version: '1.2.3', ...more }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

describe('the notice of a package', () => {
  const head = { name: 'some-package', version: '1.2.3', license: 'MIT' };

  test.each(['LICENSE', 'license', 'LICENSE.md', 'license.txt', 'LICENSE-MIT', 'COPYING', 'UNLICENSE'])(
    'has the text of %s',
    (file) => {
      const path = packageWith({
        [file]: '\r\nThe license\r\n\r\nof it\r\n',
        'README.md': 'no',
        'license-check.js': 'no',
      });
      expect(readNotice(path)).toEqual({ ...head, text: expect.stringContaining('The license\n\nof it') });
      expect(readNotice(path).text).not.toContain('\r');
    },
  );

  test('has every license file and the NOTICE', () => {
    const path = packageWith({ NOTICE: 'third', 'LICENSE.mit': 'second', LICENSE: 'first' });
    expect(readNotice(path).text).toBe('first\n\nsecond\n\nthird');
  });

  test.each([
    ['no license file', {}, { license: 'MIT' }, 'some-package 1.2.3 has no text of its license'],
    ['a NOTICE only', { NOTICE: 'text' }, { license: 'MIT' }, 'some-package 1.2.3 has no text of its license'],
    ['an empty license file', { LICENSE: '\n' }, { license: 'MIT' }, 'some-package 1.2.3 has no text of its license'],
    ['no license at all', { LICENSE: 'text' }, {}, 'some-package 1.2.3 names no license'],
    [
      'a README that has changed',
      { 'README.md': 'MIT' },
      { name: 'pgpass', license: 'MIT' },
      'pgpass 1.2.3 has no text',
    ],
  ])('is reported as an error with %s', (_, files, more, message) => {
    expect(() => readNotice(packageWith(files, more))).toThrow(message);
  });
});

test('every package of the image has the text of its license', () => {
  const packages = listProductionPackages(root);
  expect(packages.length).toBeGreaterThan(50);
  for (const each of packages) readNotice(each);
});

test('packages are sorted and listed once, and identical license texts are shared', () => {
  const notice = (name: string, text: string) => ({ name, version: '1.0.0', license: 'MIT', text });
  const all = [notice('c', 'shared'), notice('b', 'own'), notice('a', 'shared'), notice('b', 'own')];
  const line = '='.repeat(80);
  expect(writeNotices('Made of:', all)).toBe(
    [
      'Made of:\n\n  a 1.0.0 (MIT)\n  b 1.0.0 (MIT)\n  c 1.0.0 (MIT)\n',
      `${line}\na 1.0.0 (MIT)\nc 1.0.0 (MIT)\n${line}\n\nshared\n`,
      `${line}\nb 1.0.0 (MIT)\n${line}\n\nown\n`,
    ].join('\n'),
  );
  expect(writeNotices('Made of:', all.toReversed())).toBe(writeNotices('Made of:', all));
});

test('the packages of the image exclude optional and development packages', () => {
  const packages = {
    '': {},
    'node_modules/a': {},
    'node_modules/a/node_modules/b': {},
    'node_modules/c': { dev: true },
    'node_modules/d': { optional: true },
    'node_modules/e': { devOptional: true },
  };
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify({ packages }));
  expect(listProductionPackages(folder.path)).toEqual(
    ['node_modules/a', 'node_modules/a/node_modules/b'].map((path) => join(folder.path, path)),
  );
});
