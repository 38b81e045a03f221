import { expect, test } from '@jest/globals';
import { proposeOwner } from './owner-id.ts';

test.each([
  ['acme', null],
  ['Acme Ltd.', null],
  ['Müller', 'mueller'],
  ['Müller & Söhne', 'mueller-soehne'],
  ['Société Générale', 'societe-generale'],
  ['株式会社', null],
  ['', null],
])('the owner id for the name %j is %j', (name, id) => {
  expect(proposeOwner(name)).toBe(id);
});
