import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { until } from '../../support/until.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';

let gateway: TestGateway;
let endpoint: Endpoint;
beforeEach(async () => {
  endpoint = await Endpoint.start();
});
afterEach(async () => {
  await gateway.stop();
  await endpoint.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function post(path: string, body?: object): Promise<{ readonly status: number; readonly body: any }> {
  const init = { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await gateway.admin(`/v1${path}`, init);
  return { status: response.status, body: await response.json() };
}

const readSample = async (name: string) => {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
};

test('by default, a gateway accepts no webhooks into its own network', async () => {
  gateway = await startTestGateway();
  const { port } = new URL(endpoint.url);
  for (const url of [endpoint.url, gateway.adminUrl, `https://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
    const refused = await post('/webhooks', { url, types: ['*'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'webhook_address_not_allowed']);
  }
  expect(endpoint.connections).toBe(0);
});

test('with allowPrivate, a gateway delivers events, counts them in its metrics, and reports webhooks as ready', async () => {
  gateway = await startTestGateway({ settings: { events: { allowPrivate: ['127.0.0.0/8'] } } });
  const created = await post('/webhooks', { url: `${endpoint.url}in`, types: ['webhook.disabled'] });
  expect(created.status).toBe(201);
  const tried = await post(`/webhooks/${created.body.id}/test`);
  expect(tried.body).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
  expect((await post(`/deliveries/${tried.body.id}/redeliver`)).status).toBe(202);
  await until(() => endpoint.requests.length === 2);
  for (const { path, body, headers } of endpoint.requests) {
    expect(path).toBe('/in');
    expect(new Webhook(created.body.secret).verify(body, headers)).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: created.body.id },
    });
  }
  const gone = await post('/webhooks', { url: `${endpoint.url}gone`, types: ['*'] });
  endpoint.respond = ({ path }, res) => res.writeHead(path === '/gone' ? 410 : 204).end();
  const again = await post(`/webhooks/${gone.body.id}/test`);
  await post(`/deliveries/${again.body.id}/redeliver`);
  await until(() => endpoint.requests.some(({ body }) => JSON.parse(body).type === 'webhook.disabled'));
  await until(async () => (await readSample('tollgate_webhook_attempts_total{outcome="delivered"}')) === 2);
  expect(await readSample('tollgate_webhook_attempts_total{outcome="refused"}')).toBe(1);
  expect(await readSample('tollgate_webhook_duration_seconds_count')).toBe(3);
  const { components } = (await (await gateway.admin('/v1/system')).json()) as { components: object[] };
  expect(components).toContainEqual(expect.objectContaining({ name: 'webhooks', state: 'ready' }));
});
