/**
 * Two accounts, and a key of the first: whatever one asks for with the ids of the other must look as if it did not
 * exist. The routes are those of the portal's own document, so that one that is added later cannot be forgotten here.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageAddresses } from '../../../src/control-plane/portal/front/page-list.ts';
import type { Answer } from '../../support/gateway/admin.ts';
import { portalDocument, type PortalBrowser } from '../../support/gateway/portal.ts';
import { type Ids, startTwoAccounts, type TwoAccounts, webhookTo } from './support/two-accounts.ts';

let scene: TwoAccounts;
/** `portal.public`. */
let isPublic: boolean;
/** What the other account reads as long as nobody else changes anything of it. */
let untouched: unknown;
/** Every id in it: any of these in an answer to somebody else is a leak. */
let hidden: readonly string[];

async function startScene(withPublicFront: boolean): Promise<void> {
  isPublic = withPublicFront;
  scene = await startTwoAccounts(isPublic ? { public: true, signUp: 'request' } : {});
  untouched = await scene.theirState();
  hidden = [...new Set(JSON.stringify(untouched).match(/\b[a-z]{3}_\w{20}\b/g)), scene.foreign.refused, 'theirs'];
}

const routes = Object.entries(portalDocument.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security?.length !== 0)
    .map(([method, { operationId: name }]) => ({ method: method.toUpperCase(), path, name })),
);
type Route = (typeof routes)[number];

/** Which of the other account's things stands where the route has an id, or one's own, or what is nobody's. */
type Chosen =
  | { readonly whose: 'theirs' }
  | { readonly whose: 'theirs, of another kind'; readonly kind: keyof Ids }
  | { readonly whose: 'own' }
  | { readonly whose: "nobody's"; readonly id: string };

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
const kindOf = ({ path }: Route) => KINDS[path.split('/')[1] ?? ''] ?? 'account';

/** Whether the route names a thing by its id, in its path, query or body. */
const hasId = ({ path, name }: Route) => path.includes('{') || path === '/usage/history' || name === 'tryCall';

/** What is the same for everybody, and needs no session if the portal is public. */
const isForEverybody = ({ path }: Route) => path.startsWith('/public/');

/** With the session of a key, these are refused before anything is looked up. */
function needsAccount({ method, path, name }: Route): boolean {
  return (method !== 'GET' && name !== 'tryCall') || /^\/(webhooks|deliveries)/.test(path);
}

function idOf(route: Route, chosen: Chosen): string {
  if (chosen.whose === "nobody's") return chosen.id;
  if (chosen.whose === 'theirs, of another kind') return scene.foreign[chosen.kind];
  return (chosen.whose === 'own' ? scene.own : scene.foreign)[kindOf(route)];
}

/** A valid body for each operation that takes one. */
function bodyOf(name: string, id: string): object | undefined {
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

function send(browser: PortalBrowser, { method, path, name }: Route, id: string, cursor?: string): Promise<Answer> {
  const json = bodyOf(name, id);
  const query = new URLSearchParams({
    ...(path === '/usage/history' ? { by: 'key', key: id } : {}),
    ...(path === '/public/reference/part' ? { operation: 'listPets' } : {}),
    ...(method === 'GET' && cursor !== undefined ? { cursor } : {}),
  });
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(id));
  return browser.call(method, `/api${filled}?${query.toString()}`, json === undefined ? {} : { json });
}

async function expectIsolated({ route, session, chosen }: Attempt): Promise<void> {
  const browser = session === 'none' ? scene.portal.browser() : session === 'key' ? scene.byKey : scene.mine;
  const id = idOf(route, chosen);
  const cursor = chosen.whose === 'theirs' ? scene.foreignCursors.get(route.path) : undefined;
  const answer = await send(browser, route, id, cursor);
  if (route.method !== 'GET') expect(await scene.theirState()).toEqual(untouched);
  // What was asked for may be repeated in the message.
  const text = answer.status < 400 ? answer.text : answer.text.replaceAll(id, '');
  expect(hidden.filter((one) => text.includes(one))).toEqual([]);

  const { status } = answer;
  if (session === 'none' && isPublic && isForEverybody(route))
    return expect(hasId(route) ? [400, 401, 404] : [200]).toContain(status);
  if (session === 'none') return expect([status, answer.body.code]).toEqual([401, 'sign_in_needed']);
  if (session === 'key' && needsAccount(route)) {
    const refusals: unknown[] = [[403, 'account_needed']];
    // Such as one with a slash, which no path may have.
    if (chosen.whose === "nobody's") refusals.push([400, 'invalid_path']);
    return expect(refusals).toContainEqual([status, answer.body.code]);
  }
  if (!hasId(route)) return expect(session === 'key' ? [200, 403] : [200, 201, 400, 409]).toContain(status);
  if (chosen.whose === 'own') return expect([200, 201, 202, 204, 404, 409]).toContain(status);
  if (chosen.whose !== 'theirs') return expect([400, 404]).toContain(status);
  expect(status).toBe(404);
  // Nor can one tell that it exists.
  const unknown = id.replace(/\w{8}$/, 'Q'.repeat(8));
  const ofUnknown = await send(browser, route, unknown, cursor);
  expect(answer.text.replaceAll(id, 'ID')).toBe(ofUnknown.text.replaceAll(unknown, 'ID'));
}

/** Signing out is one's own session, and the tests need theirs. */
const canBeTried = ({ route, session }: Attempt) => session === 'none' || route.name !== 'portalSignOut';

const nobodys = fc.oneof(
  fc.stringMatching(/^(key|ses|plr|whk|dlv|acc)_[0-9A-Za-z]{20}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).filter((id) => !/^\.{1,2}$/.test(id)),
  fc.constantFrom(`' OR 1=1 --`, '%', '*', '\u0000', '../keys', 'a/b', 'null', 'x'.repeat(2000)),
);

const attempts: fc.Arbitrary<Attempt> = fc
  .record({
    route: fc.constantFrom(...routes),
    session: fc.constantFrom('account', 'account', 'key', 'none'),
    chosen: fc.oneof<fc.Arbitrary<Chosen>[]>(
      fc.constant({ whose: 'theirs' }),
      fc.record({
        whose: fc.constant('theirs, of another kind'),
        kind: fc.constantFrom('account', 'key', 'session', 'planRequest', 'webhook', 'delivery'),
      }),
      fc.constant({ whose: 'own' }),
      fc.record({ whose: fc.constant("nobody's"), id: nobodys }),
    ),
  })
  .filter(canBeTried);

/** Every route with the ids of the other account, by each session: these are tried whatever chance picks. */
const EVERY = routes
  .flatMap((route) => (['account', 'key', 'none'] as const).map((session) => ({ route, session })))
  .map((one): Attempt => ({ ...one, chosen: { whose: 'theirs' } }))
  .filter(canBeTried);

describe.each([
  ['private', false],
  ['public', true],
])('in a %s portal', (_, withPublicFront) => {
  beforeAll(() => startScene(withPublicFront), 30_000);
  afterAll(() => scene.stop());

  test('your own ids are found, so that the other tests can tell them from those of others', async () => {
    const named = routes.filter((route) => route.method === 'GET' && hasId(route) && !isForEverybody(route));
    expect(named.length).toBeGreaterThan(3);
    for (const { path } of named) {
      const id = idOf(
        named.find((route) => route.path === path)!,
        { whose: 'own' },
      );
      const query = path === '/usage/history' ? `?key=${id}` : '';
      expect([path, (await scene.mine.get(`/api${path.replace(/\{\w+\}/, id)}${query}`)).status]).toEqual([path, 200]);
    }
  });

  test('no route shows or changes data of another account', async () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(hidden).toEqual(expect.arrayContaining(Object.values(scene.foreign)));
    await fc.assert(fc.asyncProperty(attempts, expectIsolated), {
      seed: 15,
      // What only adds public data needs no more of chance.
      numRuns: EVERY.length + (isPublic ? 50 : 200),
      examples: EVERY.map((attempt) => [attempt]),
      endOnFailure: true,
    });
    expect(await scene.theirState()).toEqual(untouched);
  }, 60_000);

  test('the session of a key sees only that key, although others share its quota', async () => {
    const { byKey, mine, own } = scene;
    const { items } = (await byKey.get('/api/keys')).body;
    expect(items).toMatchObject([{ name: 'Of mine, too' }]);
    expect((await byKey.get('/api/usage')).body.items).toMatchObject([{ keys: [items[0].id] }]);
    expect((await byKey.get('/api/plans')).body.requestable).toEqual([]);
    const beside = (await mine.get('/api/keys')).body.items.find(({ id }: { id: string }) => id !== items[0].id);
    const tried = await byKey.post('/api/try', { keyId: beside.id, method: 'GET', path: '/pets' });
    expect(tried.status).toBe(404);
    expect((await byKey.get(`/api/requests/${own.refused}`)).status).toBe(404);
  });

  test('no page has anything of an account in its HTML, signed in or not', async () => {
    const names = Object.values(scene.foreign);
    const paths = pageAddresses().flatMap((page) =>
      page.includes('{}') ? names.map((name) => page.replace('{}', encodeURIComponent(name))) : [page],
    );
    for (const path of paths) {
      const url = `${scene.portal.gateway.portalUrl}/${path}`;
      const mine = await (await fetch(url, { headers: { cookie: scene.mine.cookie } })).text();
      const strangers = await (await fetch(url)).text();
      expect([path, mine]).toEqual([path, strangers]);
      expect(hidden.filter((one) => strangers.includes(one))).toEqual([]);
    }
  });
});
