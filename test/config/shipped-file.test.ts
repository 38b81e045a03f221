import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../scripts/docs/descriptions.ts';
import { root } from '../support/gateway/gateway.ts';

const text = readFileSync(join(root, 'config/gateway.yaml'), 'utf8');

/** Finds the paragraph of a top-level setting, including its comments. The setting may be commented out. */
function findParagraph(setting: string): string {
  const start = new RegExp(`^(?:# *)?${RegExp.escape(setting)}:`, 'm');
  return text.split('\n\n').find((paragraph) => start.test(paragraph)) ?? '';
}

/**
 * True if the file shows the setting. A nested setting may also be elsewhere if a comment names its parent:
 * `portal.tls` for `portal.tls.cert`.
 */
function isNamed(setting: string): boolean {
  const [top = '', ...rest] = setting.split('.');
  const paragraph = findParagraph(top);
  const last = rest.at(-1);
  if (last === undefined) return paragraph !== '';
  const above = setting.split('.').slice(0, -1).join('.');
  return new RegExp(`[\\s{]${RegExp.escape(last)}:`).test(paragraph) || (rest.length > 1 && text.includes(above));
}

test('the shipped configuration file mentions every setting', () => {
  expect(Object.keys(SETTINGS).filter((setting) => !isNamed(setting))).toEqual([]);
});
