import { startPortal, type Portal, type PortalBrowser } from '../../../support/gateway/portal.ts';

/** The ids of an account and of its resources, one for each kind in the paths and bodies of the portal's API. */
export interface Ids {
  readonly account: string;
  readonly key: string;
  readonly session: string;
  readonly planRequest: string;
  /** The request id of a refused request. */
  readonly refused: string;
  readonly webhook: string;
  readonly delivery: string;
}

export interface TwoAccounts {
  readonly portal: Portal;
  readonly mine: PortalBrowser;
  /** The browser with a session of a key of the same account. */
  readonly byKey: PortalBrowser;
  readonly theirs: PortalBrowser;
  /**
   * The ids of the account of `mine`. They do not include the session and the key that the tests use, so tests may end
   * these.
   */
  readonly own: Ids;
  readonly foreign: Ids;
  /** The cursors to the second page of each list of the other account, by the path of the list in the document. */
  readonly foreignCursors: ReadonlyMap<string, string>;
  /** Everything that the other account can read about itself. */
  theirState(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Creates the body for a webhook without a listener, so that its deliveries fail immediately. */
export function webhookTo(path: string): object {
  return { url: `http://127.0.0.1:1/${path}`, types: ['key.expiring'] };
}

/** Starts a portal with two equal accounts. The clock is stopped, so data changes only by calls. */
export async function startTwoAccounts(portalSettings: object = {}): Promise<TwoAccounts> {
  const now = Date.now();
  const settings = { events: { allowPrivate: true }, portal: portalSettings };
  const portal = await startPortal({ clock: () => now, settings });
  const [me, other] = [await populate(portal, 'mine'), await populate(portal, 'theirs')];
  if ('signUp' in portalSettings) {
    const request = { name: 'theirs', email: 'theirs@example.com', purpose: 'theirs' };
    await portal.browser().post('/api/account-requests', request);
  }
  const sessionKey = (await me.browser.post('/api/keys', { name: 'Of mine, too' })).body;
  const lists = ['/keys', '/plan-requests', '/webhooks', '/webhooks/{id}/deliveries'];
  const read = async (path: string) => (await other.browser.get(`/api${path.replace('{id}', other.ids.webhook)}`)).body;
  const cursors = await Promise.all(lists.map(async (path) => (await read(`${path}?limit=1`)).nextCursor as string));
  const statePaths = [...lists, '/account', '/session', '/sessions', '/usage', '/webhooks/{id}'];
  statePaths.push(`/requests/${other.ids.refused}`);
  return {
    portal,
    mine: me.browser,
    byKey: await portal.signInWith(sessionKey.key),
    theirs: other.browser,
    own: me.ids,
    foreign: other.ids,
    foreignCursors: new Map(lists.map((path, index) => [path, cursors[index] ?? ''])),
    theirState: async () => JSON.parse(JSON.stringify(await Promise.all(statePaths.map(read)), omitDelayedFields)),
    stop: () => portal.stop(),
  };
}

/** Omits fields that the gateway writes some time after a call, whatever is called later. */
function omitDelayedFields(name: string, value: unknown): unknown {
  return name === 'lastUsedAt' || name === 'minutes' ? undefined : value;
}

async function populate(portal: Portal, name: string): Promise<{ browser: PortalBrowser; ids: Ids }> {
  const account = await portal.account(name);
  const browser = await portal.signInAs(account);
  const elsewhere = await portal.signInAs(account);
  const made = (await browser.post('/api/keys', { name })).body;
  await browser.post('/api/keys', { name });
  const refused = `refused of ${name}`.replaceAll(' ', '-');
  await portal.gateway.call('/pets/%2e', { key: made.key, headers: { 'x-request-id': refused } });
  const declined = (await browser.post('/api/plan-requests', { plan: 'pro' })).body;
  await portal.admin('POST', `/v1/plan-requests/${declined.id}/decline`, { reason: 'not yet' });
  const planRequest = (await browser.post('/api/plan-requests', { plan: 'pro' })).body;
  await browser.post('/api/webhooks', webhookTo(name));
  const webhook = (await browser.post('/api/webhooks', webhookTo(name))).body;
  await browser.call('POST', `/api/webhooks/${webhook.id}/test`);
  const delivery = (await browser.call('POST', `/api/webhooks/${webhook.id}/test`)).body;
  // Refusals are written once a second, so wait until the refusal is stored.
  while ((await browser.get(`/api/requests/${refused}`)).status === 404) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const session = (await elsewhere.get('/api/session')).body.session;
  const ids = { account, key: made.id, session: session.id, planRequest: planRequest.id, refused };
  return { browser, ids: { ...ids, webhook: webhook.id, delivery: delivery.id } };
}
