import { expect, test } from '@jest/globals';
import { COMMANDS, parseKeyCommand } from '../actions/commands.ts';
import type { Key } from '../api/keys.ts';
import type { Operation } from '../api/operations.ts';
import type { Plan } from '../api/plans.ts';
import { mayBeRequestId, findResults, type SearchedData } from './search-results.ts';

const key = { id: 'key_1', name: 'Acme & "co"', owner: 'acme', plan: 'pro', status: 'active' } as Key;
const everything: SearchedData = {
  places: [
    { label: 'Keys', to: '/keys', key: 'k', words: ['credentials'] },
    { label: 'Explain a request', to: '/requests', key: 'b', words: ['why', '429'] },
  ],
  commands: COMMANDS,
  chosen: null,
  mayChange: true,
  owners: [],
  keys: [],
  plans: [{ id: 'pro', name: 'Professional' } as Plan],
  operations: [{ id: 'pet', method: 'GET', path: '/pets' } as Operation],
  webhooks: [],
};
const found = (text: string, more: Partial<SearchedData> = {}) =>
  findResults(text, { ...everything, ...more }).map(({ kind, label }) => `${kind} ${label}`);

test('an owner comes before its keys', () => {
  const owners = [
    { owner: 'the acme', account: null },
    { owner: 'acme', account: null },
  ];
  expect(found('acme', { owners, keys: [key] })).toEqual(['Owner acme', 'Owner the acme', 'Key Acme & "co"']);
});

test('an owner with an account has its name, and is found by name, id and address', () => {
  const account = { id: 'acc_1', name: 'Fabrikam Ltd', email: 'anna@example.com' };
  const owners = [{ owner: 'fk-7', account }];
  for (const text of ['fabri', 'FK-', 'anna']) expect(found(text, { owners })).toEqual(['Owner Fabrikam Ltd']);
  expect(findResults('fabri', { ...everything, owners })).toMatchObject([
    { detail: 'fk-7 · anna@example.com', href: '/owners/fk-7' },
  ]);
});

test('plans and operations are found by their names', () => {
  expect(found('PROF')).toEqual(['Plan Professional']);
  expect(found('get /p')).toEqual(['Operation GET /pets']);
});

test('a webhook is found by its description, URL and id', () => {
  const pager = { id: 'whk_1', url: 'https://hooks.example.com/in', description: 'The pager' };
  const nameless = { ...pager, id: 'whk_2', description: '' };
  for (const text of ['pager', '//hooks', 'WHK_1'])
    expect(found(text, { webhooks: [pager] })).toEqual(['Webhook The pager']);
  expect(findResults('https://', { ...everything, webhooks: [pager, nameless] })).toMatchObject([
    { label: 'The pager', detail: 'https://hooks.example.com/in', href: '/webhooks/whk_1' },
    { label: 'https://hooks.example.com/in', detail: '', href: '/webhooks/whk_2' },
  ]);
});

const operation = (id: string, path: string, method = 'GET') => ({ id, method, path }) as Operation;

test('an operation without an id of its own is named once', () => {
  const operations = [operation('GET /fish', '/fish'), operation('pet', '/pets')];
  const results = ['fish', 'pets'].flatMap((text) => findResults(text, { ...everything, operations }));
  expect(results.map(({ label, detail }) => [label, detail])).toEqual([
    ['GET /fish', ''],
    ['GET /pets', 'pet'],
  ]);
});

test.each([
  ['pro', 'Plan Professional'],
  ['PROFESSIONAL', 'Plan Professional'],
  ['/pets', 'Operation GET /pets'],
  [' get  /pets ', 'Operation GET /pets'],
  ['pet', 'Operation GET /pets'],
  ['key_1', 'Key Acme & "co"'],
  ['acme & "co"', 'Key Acme & "co"'],
  ['keys', 'Screen Keys'],
  ['429', 'Screen Explain a request'],
  ['Why', 'Screen Explain a request'],
  ['credential', 'Screen Keys'],
  ['create a key', 'Action Create a key…'],
])('an exact match with the id, title or path “%s” comes before results that only contain it', (text, first) => {
  const others = Array.from({ length: 9 }, (_, at) => operation(`pet${at}`, `/pets/${at}/key_1/pro`));
  const owner = (name: string) => ({ owner: name, account: null });
  const more = {
    owners: ['a profession: professional', 'forget /pets', 'key_1 acme & "co"', 'keys: create a key'].map(owner),
    keys: [
      { ...key, id: 'key_10', name: 'Pets pro, acme & "co"' },
      ...Array.from({ length: 9 }, () => ({ ...key, id: 'key_2' })),
      key,
    ],
    operations: [...others, ...everything.operations],
  };
  expect(found(text, more)[0]).toBe(first);
});

test('after an action, the key with exactly the typed name or id comes first', () => {
  const { command } = parseKeyCommand('ban shop')!;
  const keys = Array.from({ length: 20 }, (_, at) => ({ ...key, id: `key_${at}`, name: `Shop ${at}` }));
  const chosen = { command, keys: [...keys, { ...key, id: 'key_shop', name: 'Shop' }] };
  expect(found('ban shop', { chosen })[0]).toBe('Action Ban Shop…');
});

test('before anything is typed, the screens and the actions of the role are listed', () => {
  const all = found('');
  expect(all.slice(0, 3)).toEqual(['Screen Keys', 'Screen Explain a request', 'Action Ban a key…']);
  expect(all).toContain('Action Create a key…');
  expect(found('', { mayChange: false, commands: [] })).toEqual(['Screen Keys', 'Screen Explain a request']);
});

test('without results, the text is offered as the id of a request and as the subject of changes', () => {
  expect(findResults(' x:1 ', everything)).toMatchObject([
    { kind: 'Request', href: '/requests?id=x%3A1' },
    { kind: 'Audit', href: '/audit?subject=x%3A1' },
  ]);
  expect(found('two words')).toEqual([]);
  expect(found('ban x', { chosen: { command: parseKeyCommand('ban x')!.command, keys: [] } })).toEqual([]);
});

test('an action is found by its words, in any order, and by other words for it', () => {
  expect(found('key create')).toEqual(['Action Create a key…']);
  expect(found('new acc')).toEqual(['Action Create an account…']);
});

test('choosing an action on a key inserts its verb, and then offers the keys that it can change', () => {
  const [ban] = findResults('ban a', everything);
  expect(ban).toMatchObject({ label: 'Ban a key…', text: 'ban ' });
  const { command, of } = parseKeyCommand('Rotate acme co ')!;
  expect([command.verb, of]).toEqual(['rotate', 'acme co']);
  const keys = [key, { ...key, id: 'key_2', status: 'revoked' } as Key, { ...key, id: 'key_3', rotatedTo: 'key_4' }];
  const results = findResults('rotate acme co', { ...everything, chosen: { command, keys } });
  expect(results).toMatchObject([{ kind: 'Action', label: 'Rotate Acme & "co"…', href: '/keys/key_1?do=rotate' }]);
  expect(parseKeyCommand('rotate')).toBeNull();
  expect(parseKeyCommand('delete acme')).toBeNull();
});

test.each([
  ['0b0f3a52-7a8d-4f43-9a3e-1f3f8a1f4e1b', true],
  ['order-4711.retry_2', true],
  ['order-4711.retry:2', false],
  ['key_zh3q4XDbm1NAs5NvTGuj', false],
  ['two words', false],
  ['short', false],
])('%s may be a request id: %s', (text, may) => {
  expect(mayBeRequestId(text)).toBe(may);
});
