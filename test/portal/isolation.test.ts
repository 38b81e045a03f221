/**
 * Two accounts, and a key of the second: whatever one asks for with the ids of the other must look as if it did not
 * exist. Every operation of the document is tried, so that one that is added later cannot be forgotten here.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { portalDocument, startPortal, type Portal, type PortalBrowser } from '../support/gateway/portal.ts';

let portal: Portal;
let mine: PortalBrowser;
let byKey: PortalBrowser;
let theirs: PortalBrowser;
/** What the other account has: any of these in an answer is a leak. */
let foreign: {
  key: string;
  session: string;
  request: string;
  account: string;
  refused: string;
  webhook: string;
  delivery: string;
};

const operations = Object.entries(portalDocument.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const signedIn = operations.filter(({ operation }) => operation.security?.length !== 0);

beforeAll(async () => {
  portal = await startPortal({ settings: { events: { allowPrivate: true } } });
  const [mineId, theirsId] = [await portal.account('mine'), await portal.account('theirs')];
  mine = await portal.signedInAs(mineId);
  theirs = await portal.signedInAs(theirsId);
  await mine.post('/api/keys', { name: 'Mine' });
  const made = (await theirs.post('/api/keys', { name: 'Theirs' })).body;
  const other = (await mine.post('/api/keys', { name: 'Of mine, too' })).body;
  byKey = await portal.signedInWith(other.key);
  await portal.gateway.call('/pets/%2e', { key: made.key, headers: { 'x-request-id': 'theirs-1' } });
  await mine.post('/api/webhooks', webhookTo('mine'));
  const webhook = (await theirs.post('/api/webhooks', webhookTo('theirs'))).body;
  // Refusals are written once a second.
  while ((await theirs.get('/api/requests/theirs-1')).status === 404) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  foreign = {
    key: made.id,
    session: (await theirs.get('/api/session')).body.session.id,
    request: (await theirs.post('/api/plan-requests', { plan: 'pro' })).body.id,
    account: theirsId,
    refused: 'theirs-1',
    webhook: webhook.id,
    delivery: (await theirs.post(`/api/webhooks/${webhook.id}/test`, undefined)).body.id,
  };
});
afterAll(() => portal.stop());

/** Nothing listens there: what is sent fails at once. */
function webhookTo(path: string): object {
  return { url: `http://127.0.0.1:1/${path}`, types: ['*'] };
}

/** A valid body for each operation that takes one. */
function bodyOf(id: string): object | undefined {
  const bodies: Record<string, object> = {
    updateOwnAccount: { name: 'Changed' },
    createOwnKey: { name: 'One more' },
    renameOwnKey: { name: 'Renamed' },
    rotateOwnKey: {},
    createOwnPlanRequest: { plan: 'pro' },
    createOwnWebhook: webhookTo('another'),
    updateOwnWebhook: { url: 'http://127.0.0.1:1/changed', status: 'disabled' },
    rotateOwnWebhookSecret: { graceSeconds: 0 },
    tryCall: { keyId: foreign.key, method: 'GET', path: '/pets' },
  };
  return bodies[id];
}

/** The path with the ids of the other account. */
function foreignPath(path: string): string {
  const ids: Record<string, string> = {
    keys: foreign.key,
    sessions: foreign.session,
    'plan-requests': foreign.request,
    webhooks: foreign.webhook,
    deliveries: foreign.delivery,
  };
  const id = ids[path.split('/')[1] ?? ''] ?? 'of nothing';
  const filled = path.replace('{requestId}', foreign.refused).replace('{id}', id);
  return `/api${filled}${path === '/usage/history' ? `?key=${foreign.key}` : ''}`;
}

const pointsElsewhere = (path: string, id: string) =>
  path.includes('{') || path === '/usage/history' || id === 'tryCall';

/** What only accounts have: with the session of a key, it is refused before anything is looked up. */
const ofAccounts = (path: string) => path.startsWith('/webhooks') || path.startsWith('/deliveries');

async function sendForeign(browser: PortalBrowser, { method, path, operation }: (typeof operations)[number]) {
  const json = bodyOf(operation.operationId);
  return browser.call(method, foreignPath(path), json === undefined ? {} : { json });
}

test('there is something to try', () => {
  expect(signedIn.length).toBeGreaterThan(20);
});

test.each(signedIn.filter(({ operation }) => operation.operationId !== 'portalSignOut'))(
  '$method $path with the ids of another account',
  async (one) => {
    const byAccount = await sendForeign(mine, one);
    if (pointsElsewhere(one.path, one.operation.operationId)) expect(byAccount.status).toBe(404);
    const withKey = await sendForeign(byKey, one);
    const isChange = one.method !== 'GET' && one.operation.operationId !== 'tryCall';
    if (isChange || ofAccounts(one.path))
      expect({ status: withKey.status, code: withKey.body.code }).toEqual({ status: 403, code: 'account_needed' });
    else if (pointsElsewhere(one.path, one.operation.operationId)) expect(withKey.status).toBe(404);
    else expect([200, 403]).toContain(withKey.status);
    for (const answer of [byAccount, withKey]) {
      // What was asked for may be repeated in the message.
      if (answer.status < 400) for (const id of Object.values(foreign)) expect(answer.text).not.toContain(id);
      expect(answer.text).not.toContain('Theirs');
    }
  },
);

test('the other account is as it was', async () => {
  expect((await theirs.get('/api/keys')).body.items).toMatchObject([
    { id: foreign.key, name: 'Theirs', status: 'active', rotatedTo: null },
  ]);
  expect((await theirs.get('/api/plan-requests')).body.items).toMatchObject([{ id: foreign.request, status: 'open' }]);
  expect((await theirs.get('/api/session')).status).toBe(200);
  expect((await theirs.get(`/api/requests/${foreign.refused}`)).status).toBe(200);
  const { items } = (await theirs.get('/api/usage')).body;
  expect(items).toMatchObject([{ windows: [{ used: 1 }, { used: 1 }] }]);
  const [url, status, previousSecretUntil] = ['http://127.0.0.1:1/theirs', 'enabled', null];
  const webhooks = (await theirs.get('/api/webhooks')).body.items;
  expect(webhooks).toMatchObject([{ id: foreign.webhook, url, status, previousSecretUntil }]);
  const deliveries = (await theirs.get(`/api/webhooks/${foreign.webhook}/deliveries`)).body.items;
  expect(deliveries).toContainEqual(expect.objectContaining({ id: foreign.delivery, status: 'failed' }));
});

test('the session of a key sees that key alone, although others share its quota', async () => {
  const { items } = (await byKey.get('/api/keys')).body;
  expect(items).toMatchObject([{ name: 'Of mine, too' }]);
  expect((await byKey.get('/api/usage')).body.items).toMatchObject([{ keys: [items[0].id] }]);
  expect((await byKey.get('/api/plans')).body.requestable).toEqual([]);
  const mineKey = (await mine.get('/api/keys')).body.items.find(({ name }: { name: string }) => name === 'Mine');
  const tried = await byKey.post('/api/try', { keyId: mineKey.id, method: 'GET', path: '/pets' });
  expect(tried.status).toBe(404);
});

test('without a session, no operation is answered', async () => {
  for (const one of signedIn) expect((await sendForeign(portal.browser(), one)).status).toBe(401);
});
