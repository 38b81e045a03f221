import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { Database } from '../../../src/storage/database.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { TryItConnections } from '../../../src/data-plane/credentials/try-it-connections.ts';
import { createAuthenticateStep } from '../../../src/data-plane/steps/authenticate.ts';
import { createFailedAttempts } from '../../../src/data-plane/steps/failed-attempts.ts';
import { Exchange } from '../../../src/data-plane/exchange/exchange.ts';
import type { Authenticate } from '../../../src/data-plane/exchange/run-steps.ts';
import { AddressLimiter } from '../../../src/http/call-limiter.ts';
import type { GatewayResponse } from '../../../src/data-plane/responses/response.ts';
import { CredentialCache } from '../../../src/data-plane/credentials/credential-cache.ts';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { createCredentialSource } from '../../../src/control-plane/registry/credential-source.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let database: Database;
let credentialCache: CredentialCache;
let authenticate: Authenticate;
let tryItConnections: TryItConnections;
let release: () => void;

beforeEach(async () => {
  database = await openSqliteDatabase(`${temporaryDirectory()}/test.db`);
  const registry = new Registry(database);
  const held = new Promise<void>((resolve) => (release = resolve));
  const find = registry.findCredential.bind(registry);
  registry.findCredential = (hash) => held.then(() => find(hash));
  credentialCache = new CredentialCache(createCredentialSource(registry, database, 'gateway'), () => undefined);
  tryItConnections = new TryItConnections();
  const byAddress = {
    addressLimiter: new AddressLimiter({ limit: 1000, withinMs: 60_000 }, Date.now),
    clientAddress: (req: IncomingMessage) => String(req.headers['x-test-address']),
    clock: Date.now,
  };
  authenticate = createAuthenticateStep({
    ...byAddress,
    credentialCache,
    tryItConnections,
    failedAttempts: createFailedAttempts({ ...byAddress, onAddressRefused: () => undefined }),
    selfRevoke: true,
    tokens: null,
    foreignKeys: null,
  });
});
afterEach(async () => {
  await credentialCache.close();
  await database.close();
});

/** Sends a well-formed key that does not exist. */
async function guess(address: string) {
  const rawHeaders = ['X-API-Key', generateSecret()];
  const req = { rawHeaders, headers: { 'x-test-address': address } } as unknown as IncomingMessage;
  return authenticate(new Exchange(req, {} as GatewayResponse, false));
}

/**
 * While the registry was slow, guesses of well-formed keys once filled an unbounded queue, in front of every customer
 * whose key was not cached yet. The documented error `overloaded` was never sent.
 */
test('lookups beyond the limit of an address are refused, and other addresses are not affected', async () => {
  const atOnce = 32;
  const inLine = 100;
  const guesses = Array.from({ length: atOnce + inLine + 2 }, () => guess('192.0.2.1'));
  const overloaded = { code: 'overloaded', headers: ['Retry-After', '1'] };
  expect(await Promise.all(guesses.slice(-2))).toEqual([overloaded, overloaded]);
  const elsewhere = guess('192.0.2.2');
  release();
  expect(await elsewhere).toMatchObject({ code: 'key_invalid' });
  const refusals = await Promise.all(guesses.slice(0, -2));
  expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: 'key_invalid' })));
});

test('addresses in one /64 share a limit', async () => {
  const guesses = Array.from({ length: 134 }, (_, n) => guess(`2001:db8::${n.toString(16)}`));
  expect(await guesses.at(-1)).toMatchObject({ code: 'overloaded' });
  release();
  await Promise.all(guesses);
});

test('a call tried in the portal uses only the chosen key', async () => {
  const socket = {};
  tryItConnections.trust(socket, 'hash of the chosen key');
  const rawHeaders = ['Authorization', `Bearer ${generateSecret()}`];
  const req = { rawHeaders, headers: {}, socket } as unknown as IncomingMessage;
  expect(await authenticate(new Exchange(req, {} as GatewayResponse, false))).toEqual({ code: 'key_ambiguous' });
});
