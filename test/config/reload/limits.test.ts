/**
 * Every reload once reset the limits of the gateway's own endpoints and of the portal. So those who could cause
 * reloads, or waited for them, could send more than the limits allow.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PortalBrowser } from '../../support/gateway/portal.ts';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';

let gateway: ReloadingGateway;
let names = 0;
const upstream = { name: 'service', openapi: 'service.yaml', targets: ['http://127.0.0.1:9'] };
const portal = { enabled: true, public: true, signUp: 'request' };

beforeAll(async () => {
  gateway = await startReloadingGateway((write) => {
    write('service.yaml', createDocument({ now: {} }));
    write('plans.yaml', createPlans({ minute: 1000, day: 1000 }));
    const settings = { plans: 'plans.yaml', upstreams: [upstream], portal };
    return { settings, portalRequestsPerMinute: { requests: 1000, changes: 3, endings: 120 } };
  });
});
afterAll(() => gateway.stop());

/** Reloads the gateway with a configuration in which everything has changed that a reload can replace. */
async function reload(): Promise<void> {
  const name = `operation${++names}`;
  gateway.write('service.yaml', createDocument({ [name]: {} }));
  gateway.configure({
    plans: 'plans.yaml',
    upstreams: [upstream],
    portal: { ...portal, description: name },
    afterSunset: names % 2 === 0 ? 'serve' : 'gone',
  });
  const { body } = await gateway.reload();
  expect(body.changed).toEqual(expect.arrayContaining(['portal.description', 'upstreams.service.openapi']));
}

/**
 * Makes calls until one is refused.
 *
 * @returns the number of calls before the refusal
 */
async function countUntilRefused(call: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let count = 0; count < 100; count++) if ((await call()).status === 429) return count;
  throw new Error('no call was refused');
}

test.each([
  ['calls', 60, () => gateway.call('/_gateway/usage')],
  ['failed revocations', 10, () => gateway.call('/_gateway/key/revoke', { method: 'POST', body: '{' })],
] as const)("a reload does not reset the count of %s to the gateway's own endpoints", async (_, limit, call) => {
  expect(await countUntilRefused(call)).toBe(limit);
  await reload();
  const refused = await call();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a reload does not reset the count of changes in the portal', async () => {
  const browser = new PortalBrowser(gateway.portalUrl);
  const account = { owner: 'acme', name: 'Acme', email: null, plan: 'free' };
  const { id } = await post('/v1/accounts', account);
  const { url } = await post(`/v1/accounts/${id}/sign-in-link`, {});
  expect((await browser.post('/api/session', { token: url.split('#token=')[1] })).status).toBe(201);
  const rename = () => browser.call('PATCH', '/api/account', { json: { name: `name ${++names}` } });
  expect(await countUntilRefused(rename)).toBe(3);
  await reload();
  expect((await rename()).status).toBe(429);
});

test('a reload does not reset the count of requests for an account', async () => {
  const browser = new PortalBrowser(gateway.portalUrl);
  const request = { name: 'Ann', email: 'ann@acme.example', purpose: 'a shop' };
  const ask = () => browser.post('/api/account-requests', request);
  expect(await countUntilRefused(ask)).toBe(5);
  await reload();
  expect((await ask()).status).toBe(429);
});

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function post(path: string, body: object): Promise<any> {
  const response = await gateway.admin(path, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}
