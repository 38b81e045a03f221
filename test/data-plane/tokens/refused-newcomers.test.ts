/**
 * A gateway creates at most 60 callers of an issuer in a minute. A caller that is refused and tries again once used up
 * this limit, so that other new callers got 503 for as long as it tried.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { until } from '../../support/until.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const corp = { name: 'corp', issuer: issuer.url, audience: [AUDIENCE], maxCallers: 3 };
  gateway = await startTokenGateway([corp]);
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

async function call(azp: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 3000;
  const token = signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, azp, exp });
  const response = await callWithToken(gateway, token);
  const { code = '' } = (await response.json()) as { readonly code?: string };
  return `${response.status} ${code}`.trim();
}

const callOften = async (callers: readonly string[]) => new Set(await Promise.all(callers.map(call)));

test('a refused caller that retries does not use up the limit of other new callers', async () => {
  const owner = {
    owner: 'someone',
    kind: 'token',
    token: { name: 'corp', caller: 'first', claim: 'azp' },
    plan: 'free',
  };
  const added = await gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(owner) });
  const { id } = (await added.json()) as { readonly id: string };
  expect(await callOften(['second', 'third'])).toEqual(new Set(['200']));
  for (let round = 0; round < 10; round++) {
    const newcomers = Array.from({ length: 10 }, (_, index) => `newcomer-${round}-${index}`);
    expect(await callOften(['refused', 'refused', ...newcomers])).toEqual(new Set(['403 caller_unknown']));
  }
  const removed = await gateway.admin(`/v1/keys/${id}/forget`, { method: 'POST' });
  expect([removed.ok, await removed.text()]).toEqual([true, expect.any(String)]);
  await until(async () => (await call('fourth')) === '200');
  expect(await call('refused')).toBe('403 caller_unknown');
});
