import { expect, test } from '@jest/globals';
import { findOwnerChoices } from './owner-choices.ts';

const owner = (id: string, name?: string, email: string | null = null) => ({
  owner: id,
  account: name === undefined ? null : { name, email },
  activeKeys: 2,
});
const labels = (text: string, ...owners: ReturnType<typeof owner>[]) =>
  findOwnerChoices(text, owners).map(({ label }) => label);

test('existing owners come before a new one, and those that begin with the text come first', () => {
  const found = [owner('my-glob'), owner('globex'), owner('acc_1', 'Globe Ltd', 'office@globe.example')];
  expect(findOwnerChoices('glob', found)).toEqual([
    { owner: 'globex', isNew: false, label: 'globex', detail: '2 active keys' },
    { owner: 'acc_1', isNew: false, label: 'Globe Ltd', detail: 'acc_1 · office@globe.example · 2 active keys' },
    { owner: 'my-glob', isNew: false, label: 'my-glob', detail: '2 active keys' },
    { owner: 'glob', isNew: true, label: 'Create new owner “glob”', detail: 'No key has this owner yet.' },
  ]);
});

test('an owner with this id is the first choice, and no new one can be created', () => {
  expect(labels('acme', owner('acme-retail'), owner('acc_1', 'acme'), owner('acme'))).toEqual([
    'acme',
    'acme',
    'acme-retail',
  ]);
  expect(findOwnerChoices('acme', [owner('acme-retail'), owner('acme')])[0]?.owner).toBe('acme');
});

test('a name that is not a valid id is turned into one', () => {
  expect(labels(' Müller & Söhne ')).toEqual(['Create new owner “mueller-soehne”']);
  expect(labels('Müller', owner('mueller'))).toEqual(['mueller']);
  expect(labels('')).toEqual([]);
  expect(labels('王')).toEqual([]);
});

test('owners with an account are not offered for another one, also not as new ones', () => {
  const found = [owner('globex', 'Globex Corporation'), owner('glob-trade')];
  expect(findOwnerChoices('glob', found, true).map((choice) => choice.owner)).toEqual(['glob-trade', 'glob']);
  expect(findOwnerChoices('globex', found, true).map((choice) => choice.owner)).toEqual(['glob-trade']);
});
