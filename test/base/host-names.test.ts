import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from '@jest/globals';
import { HostNames } from '../../src/base/host-names.ts';

const address = (last: number): LookupAddress => ({ address: `10.0.0.${last}`, family: 4 });

interface Query {
  readonly name: string;
  readonly answer: (...addresses: LookupAddress[]) => void;
  readonly fail: (code: string) => void;
}

/** The queries to the system's resolver, in their order. */
let asked: Query[];
let lookup: (name: string) => Promise<readonly LookupAddress[]>;
beforeEach(() => {
  asked = [];
  const names = new HostNames((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
    const fail = (code: string) => reject(Object.assign(new Error(code), { code }));
    asked.push({ name, answer: (...found) => resolve(found), fail });
    return promise;
  }, 10);
  const all = promisify(names.lookup as never) as (name: string, options: object) => Promise<readonly LookupAddress[]>;
  lookup = (name) => all(name, { all: true });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const askedFor = () => asked.map(({ name }) => name);

test('concurrent lookups of a name share one query, and later ones start a new one', async () => {
  const both = Promise.all([lookup('a'), lookup('a')]);
  await turn();
  asked[0]!.answer(address(1), address(2));
  expect(await both).toEqual([
    [address(1), address(2)],
    [address(1), address(2)],
  ]);
  const later = lookup('a');
  await turn();
  asked[1]!.answer(address(3));
  expect(await later).toEqual([address(3)]);
});

test('names are looked up one at a time, so that slow lookups occupy only one thread of the pool', async () => {
  const [slow, missing, good] = [lookup('slow'), lookup('missing'), lookup('good')];
  await turn();
  expect(askedFor()).toEqual(['slow']);
  asked[0]!.fail('EAI_AGAIN');
  await expect(slow).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  await turn();
  asked[1]!.fail('ENOTFOUND');
  await expect(missing).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await turn();
  asked[2]!.answer(address(1));
  expect(await good).toEqual([address(1)]);
});

test('a lookup of a known name does not wait for a slow lookup or for other names', async () => {
  const first = lookup('good');
  await turn();
  asked[0]!.answer(address(1));
  await first;
  const slow = expect(lookup('slow')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  await turn();
  expect(await lookup('good')).toEqual([address(1)]);
  expect(await lookup('good')).toEqual([address(1)]);
  expect(askedFor()).toEqual(['good', 'slow']);
  asked[1]!.fail('EAI_AGAIN');
  await slow;
  await turn();
  // The name was requested during the lookup, so it is looked up again, and the next caller gets the new address.
  asked[2]!.answer(address(2));
  await turn();
  const after = lookup('good');
  await turn();
  asked[3]!.answer(address(2));
  expect(await after).toEqual([address(2)]);
});

test('a removed name is not found, but a failed lookup uses the previous address', async () => {
  const first = lookup('a');
  await turn();
  asked[0]!.answer(address(1));
  await first;
  const now = lookup('a');
  await turn();
  asked[1]!.fail('EAI_AGAIN');
  expect(await now).toEqual([address(1)]);
  const later = lookup('a');
  await turn();
  asked[2]!.fail('ENOTFOUND');
  await expect(later).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('names are resolved by the operating system', async () => {
  const names = new HostNames();
  const one = promisify(names.lookup as never) as (name: string, options: object) => Promise<string>;
  expect(await one('localhost', {})).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  await expect(one('nowhere.invalid', { all: true })).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
});
