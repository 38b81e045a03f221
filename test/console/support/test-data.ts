import type { TestGateway } from '../../support/gateway/gateway.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';

/** Texts that do harm if they are interpreted as markup, and that are long enough to break a layout. */
const HOSTILE = {
  name: `<img src=x onerror="document.title='pwned'">'"\`🎉👩‍👩‍👧 ${'W'.repeat(60)}`,
  owner: `"><script>document.title='pwned'</script>`,
  reason: `=HYPERLINK("javascript:alert(1)") ${'long'.repeat(100)} <b onmouseover=alert(1)>`,
  metadata: { link: 'javascript:document.title="pwned"', long: 'x'.repeat(500) },
} as const;

export interface TestData {
  readonly hostileId: string;
  readonly bannedId: string;
  /** The id of a refused request. */
  readonly requestId: string;
  /** The id of a webhook of an account. Its name and the response of its endpoint contain markup. */
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
}

interface Created {
  readonly id: string;
  readonly key: string;
}

/** Creates data for every screen. */
export async function createTestData(gateway: TestGateway): Promise<TestData> {
  const create = async (body: object, reason = 'a test') => {
    const headers = { 'X-Change-Reason': Buffer.from(reason).toString('latin1') };
    const response = await gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(body), headers });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as Created;
  };
  const { name, owner, reason, metadata } = HOSTILE;
  const hostile = await create({ name, owner, plan: 'free', metadata }, reason);
  const banned = await create({ name: 'Banned', owner: 'acme', plan: 'free' });
  const caller = await create({ name: 'Caller', owner: 'acme', plan: 'free' });
  const ban = { method: 'PUT', body: JSON.stringify({ seconds: 3600, reason }) };
  await gateway.admin(`/v1/keys/${banned.id}/ban`, ban);
  await gateway.admin(`/v1/keys/${hostile.id}/ban`, ban);
  await gateway.admin(`/v1/keys/${hostile.id}/ban`, { method: 'DELETE', body: JSON.stringify({ reason }) });
  for (const path of ['/pets', '/pets/1', '/nothing']) await gateway.call(path, { key: caller.key });
  const refused = await gateway.call('/pets', { key: banned.key, headers: { 'X-Request-Id': 'refused-request' } });
  await refused.text();
  await waitForCalls(gateway, 4);
  const webhooks = await createWebhooks(gateway);
  return { hostileId: hostile.id, bannedId: banned.id, requestId: 'refused-request', ...webhooks };
}

/** Creates a webhook of the operators, and one of an account whose endpoint responds with markup. */
async function createWebhooks(gateway: TestGateway): Promise<Pick<TestData, 'webhookId' | 'deliveryId' | 'eventId'>> {
  const endpoint = await Endpoint.start((_, res) => res.writeHead(500).end(HOSTILE.owner));
  try {
    const post = async (path: string, body?: object): Promise<{ id: string }> => {
      const response = await gateway.admin(path, {
        method: 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { id: string };
    };
    const { name, owner } = HOSTILE;
    const account = await post('/v1/accounts', { owner: 'of webhooks', name, email: null, plan: 'free' });
    await post('/v1/webhooks', { url: endpoint.url, types: ['store.degraded'] });
    const given = { accountId: account.id, url: `${endpoint.url}${encodeURIComponent(owner)}`, description: name };
    const webhook = await post('/v1/webhooks', { ...given, types: ['key.expiring'] });
    const delivery = await post(`/v1/webhooks/${webhook.id}/test`);
    const { items } = (await (await gateway.admin('/v1/events?type=key.created')).json()) as {
      items: { id: string }[];
    };
    return { webhookId: webhook.id, deliveryId: delivery.id, eventId: items[0]?.id ?? '' };
  } finally {
    await endpoint.stop();
  }
}

/** Waits until the history has this many calls. */
export async function waitForCalls(gateway: TestGateway, calls: number, filter = ''): Promise<void> {
  for (;;) {
    const response = await gateway.admin(`/v1/usage?${filter}`);
    const { series } = (await response.json()) as { series: { totals: { requests: number } }[] };
    if ((series[0]?.totals.requests ?? 0) >= calls) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
