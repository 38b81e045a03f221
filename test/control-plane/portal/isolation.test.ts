/**
 * There are two accounts, and a key of the first. Whatever one of them requests with ids of the other must look as if
 * the ids did not exist. The routes come from the portal's OpenAPI document, so new routes are included automatically.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listPageAddresses } from '../../../src/control-plane/portal/front/page-list.ts';
import type { ApiResponse } from '../../support/gateway/admin.ts';
import { portalDocument, type PortalBrowser } from '../../support/gateway/portal.ts';
import { type Ids, startTwoAccounts, type TwoAccounts, webhookTo } from './support/two-accounts.ts';

let accounts: TwoAccounts;
/** The setting `portal.public`. */
let isPublic: boolean;
/** The state of the other account, which must not change. */
let untouched: unknown;
/** All ids in the state of the other account. If a response to someone else contains one of them, it is a leak. */
let hidden: readonly string[];

async function start(withPublicFront: boolean): Promise<void> {
  isPublic = withPublicFront;
  accounts = await startTwoAccounts(isPublic ? { public: true, signUp: 'request' } : {});
  untouched = await accounts.theirState();
  hidden = [...new Set(JSON.stringify(untouched).match(/\b[a-z]{3}_\w{20}\b/g)), accounts.foreign.refused, 'theirs'];
}

const routes = Object.entries(portalDocument.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security?.length !== 0)
    .map(([method, { operationId: name }]) => ({ method: method.toUpperCase(), path, name })),
);
type Route = (typeof routes)[number];

/**
 * The id that is sent to a route: one of the other account, one of the own account, or one that belongs to no account.
 */
type Chosen =
  | { readonly from: 'other account' }
  | { readonly from: 'other account, other kind'; readonly kind: keyof Ids }
  | { readonly from: 'own account' }
  | { readonly from: 'no account'; readonly id: string };

interface Attempt {
  readonly route: Route;
  readonly session: 'account' | 'key' | 'none';
  readonly chosen: Chosen;
}

const KINDS: Readonly<Record<string, keyof Ids>> = {
  keys: 'key',
  usage: 'key',
  try: 'key',
  sessions: 'session',
  requests: 'refused',
  'plan-requests': 'planRequest',
  webhooks: 'webhook',
  deliveries: 'delivery',
};
const findKind = ({ path }: Route) => KINDS[path.split('/')[1] ?? ''] ?? 'account';

/** True if the route takes an id in its path, query or body. */
const hasId = ({ path, name }: Route) => path.includes('{') || path === '/usage/history' || name === 'tryCall';

/** True if the route has public data, which needs no session if the portal is public. */
const hasPublicData = ({ path }: Route) => path.startsWith('/public/');

/** True if the route refuses the session of a key before it looks anything up. */
function needsAccount({ method, path, name }: Route): boolean {
  return (method !== 'GET' && name !== 'tryCall') || /^\/(webhooks|deliveries)/.test(path);
}

function findId(route: Route, chosen: Chosen): string {
  if (chosen.from === 'no account') return chosen.id;
  if (chosen.from === 'other account, other kind') return accounts.foreign[chosen.kind];
  return (chosen.from === 'own account' ? accounts.own : accounts.foreign)[findKind(route)];
}

/** Creates a valid body for each operation that takes one. */
function createBody(name: string, id: string): object | undefined {
  const bodies: Record<string, object> = {
    updateOwnAccount: { name: 'Changed' },
    createOwnKey: { name: 'One more' },
    updateOwnKey: { name: 'Renamed' },
    rotateOwnKey: {},
    createOwnPlanRequest: { plan: 'pro' },
    createOwnWebhook: webhookTo('another'),
    updateOwnWebhook: { url: 'http://127.0.0.1:1/changed', status: 'disabled' },
    rotateOwnWebhookSecret: { graceSeconds: 0 },
    tryCall: { keyId: id, method: 'GET', path: '/pets' },
  };
  return bodies[name];
}

function send(
  browser: PortalBrowser,
  { method, path, name }: Route,
  id: string,
  cursor?: string,
): Promise<ApiResponse> {
  const json = createBody(name, id);
  const query = new URLSearchParams({
    ...(path === '/usage/history' ? { by: 'key', key: id } : {}),
    ...(path === '/public/reference/part' ? { operation: 'listPets' } : {}),
    ...(method === 'GET' && cursor !== undefined ? { cursor } : {}),
  });
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(id));
  return browser.call(method, `/api${filled}?${query.toString()}`, json === undefined ? {} : { json });
}

async function expectIsolated({ route, session, chosen }: Attempt): Promise<void> {
  const browser = session === 'none' ? accounts.portal.browser() : session === 'key' ? accounts.byKey : accounts.mine;
  const id = findId(route, chosen);
  const cursor = chosen.from === 'other account' ? accounts.foreignCursors.get(route.path) : undefined;
  const response = await send(browser, route, id, cursor);
  if (route.method !== 'GET') expect(await accounts.theirState()).toEqual(untouched);
  // The message may repeat the requested id, so ignore it there.
  const text = response.status < 400 ? response.text : response.text.replaceAll(id, '');
  expect(hidden.filter((one) => text.includes(one))).toEqual([]);

  const { status } = response;
  if (session === 'none' && isPublic && hasPublicData(route))
    return expect(hasId(route) ? [400, 401, 404] : [200]).toContain(status);
  if (session === 'none') return expect([status, response.body.code]).toEqual([401, 'sign_in_needed']);
  if (session === 'key' && needsAccount(route)) {
    const refusals: unknown[] = [[403, 'account_needed']];
    // An id of no account may be invalid in a path, for example if it has a slash.
    if (chosen.from === 'no account') refusals.push([400, 'invalid_path']);
    return expect(refusals).toContainEqual([status, response.body.code]);
  }
  if (!hasId(route)) return expect(session === 'key' ? [200, 403] : [200, 201, 400, 409]).toContain(status);
  if (chosen.from === 'own account') return expect([200, 201, 202, 204, 404, 409]).toContain(status);
  if (chosen.from !== 'other account') return expect([400, 404]).toContain(status);
  expect(status).toBe(404);
  // An unknown id must get the same response, so that the response does not reveal that the id exists.
  const unknown = id.replace(/\w{8}$/, 'Q'.repeat(8));
  const ofUnknown = await send(browser, route, unknown, cursor);
  expect(response.text.replaceAll(id, 'ID')).toBe(ofUnknown.text.replaceAll(unknown, 'ID'));
}

/** False for signing out, which would end the sessions that the tests need. */
const canBeTried = ({ route, session }: Attempt) => session === 'none' || route.name !== 'portalSignOut';

const unknownIds = fc.oneof(
  fc.stringMatching(/^(key|ses|plr|whk|dlv|acc)_[0-9A-Za-z]{20}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).filter((id) => !/^\.{1,2}$/.test(id)),
  fc.constantFrom(`' OR 1=1 --`, '%', '*', '\u0000', '../keys', 'a/b', 'null', 'x'.repeat(2000)),
);

const attempts: fc.Arbitrary<Attempt> = fc
  .record({
    route: fc.constantFrom(...routes),
    session: fc.constantFrom('account', 'account', 'key', 'none'),
    chosen: fc.oneof<fc.Arbitrary<Chosen>[]>(
      fc.constant({ from: 'other account' }),
      fc.record({
        from: fc.constant('other account, other kind'),
        kind: fc.constantFrom('account', 'key', 'session', 'planRequest', 'webhook', 'delivery'),
      }),
      fc.constant({ from: 'own account' }),
      fc.record({ from: fc.constant('no account'), id: unknownIds }),
    ),
  })
  .filter(canBeTried);

/** Every route with ids of the other account, for each kind of session. These attempts come before the random ones. */
const EVERY = routes
  .flatMap((route) => (['account', 'key', 'none'] as const).map((session) => ({ route, session })))
  .map((one): Attempt => ({ ...one, chosen: { from: 'other account' } }))
  .filter(canBeTried);

describe.each([
  ['private', false],
  ['public', true],
])('in a %s portal', (_, withPublicFront) => {
  beforeAll(() => start(withPublicFront), 30_000);
  afterAll(() => accounts.stop());

  test('ids of the own account are found, so a 404 for other ids proves something', async () => {
    const named = routes.filter((route) => route.method === 'GET' && hasId(route) && !hasPublicData(route));
    expect(named.length).toBeGreaterThan(3);
    for (const { path } of named) {
      const id = findId(
        named.find((route) => route.path === path)!,
        { from: 'own account' },
      );
      const query = path === '/usage/history' ? `?key=${id}` : '';
      expect([path, (await accounts.mine.get(`/api${path.replace(/\{\w+\}/, id)}${query}`)).status]).toEqual([
        path,
        200,
      ]);
    }
  });

  test('no route shows or changes data of another account', async () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(hidden).toEqual(expect.arrayContaining(Object.values(accounts.foreign)));
    await fc.assert(fc.asyncProperty(attempts, expectIsolated), {
      seed: 15,
      // A public portal differs only in public data, so fewer random attempts are enough.
      numRuns: EVERY.length + (isPublic ? 50 : 200),
      examples: EVERY.map((attempt) => [attempt]),
      endOnFailure: true,
    });
    expect(await accounts.theirState()).toEqual(untouched);
  });

  test('the session of a key sees only that key, although other keys share its quota', async () => {
    const { byKey, mine, own } = accounts;
    const { items } = (await byKey.get('/api/keys')).body;
    expect(items).toMatchObject([{ name: 'Of mine, too' }]);
    expect((await byKey.get('/api/usage')).body.items).toMatchObject([{ keys: [items[0].id] }]);
    expect((await byKey.get('/api/plans')).body.requestable).toEqual([]);
    const otherKey = (await mine.get('/api/keys')).body.items.find(({ id }: { id: string }) => id !== items[0].id);
    const tried = await byKey.post('/api/try', { keyId: otherKey.id, method: 'GET', path: '/pets' });
    expect(tried.status).toBe(404);
    expect((await byKey.get(`/api/requests/${own.refused}`)).status).toBe(404);
  });

  test('the HTML of pages contains no data of an account, whether or not somebody is signed in', async () => {
    const names = Object.values(accounts.foreign);
    const paths = listPageAddresses().flatMap((page) =>
      page.includes('{}') ? names.map((name) => page.replace('{}', encodeURIComponent(name))) : [page],
    );
    for (const path of paths) {
      const url = `${accounts.portal.gateway.portalUrl}/${path}`;
      const mine = await (await fetch(url, { headers: { cookie: accounts.mine.cookie } })).text();
      const strangers = await (await fetch(url)).text();
      expect([path, mine]).toEqual([path, strangers]);
      expect(hidden.filter((one) => strangers.includes(one))).toEqual([]);
    }
  });
});
