/**
 * Explanations include facts that become known later, or from other records: whether the ban was lifted, and whether
 * the plan or the key does not include the operation. They once said that a key could be used again from the end of a
 * ban, although the ban had been lifted before.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const folder = tempFolder();
let gateway: TestGateway;
beforeAll(async () => {
  const plans = join(folder.path, 'plans.yaml');
  const limits = { minute: 1, day: 100 };
  const partner = { id: 'partner-read', name: 'Partner (read)', limits, operations: ['getPet'] };
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits }, partner] }));
  const settings = { plans, demo: false, bans: { strikes: 1, grace: '0s' } };
  gateway = await startTestGateway({ dataDir: folder.path, settings });
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

interface Key {
  readonly id: string;
  readonly key: string;
}

async function admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await gateway.admin(`/v1${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  expect(response.status).toBeLessThan(300);
  return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
}

async function createKey(name: string, more: object = {}): Promise<Key> {
  return (await admin('POST', '/keys', { name, owner: 'acme', plan: 'free', ...more })) as unknown as Key;
}

async function refused({ key }: Key, id: string): Promise<string> {
  const response = await gateway.call('/pets', { key, headers: { 'X-Request-Id': id } });
  return ((await response.json()) as { code: string }).code;
}

interface Explained {
  readonly sentences: readonly string[];
  readonly answer?: string;
}

/** Waits until the refusal is stored, and returns its explanation. */
async function explained(id: string, { key }: Key) {
  const read = async (response: Response) => ((await response.json()) as { refusals: Explained[] }).refusals[0]!;
  await until(async () => (await gateway.admin(`/v1/requests/${id}`)).status === 200);
  const operator = await read(await gateway.admin(`/v1/requests/${id}`));
  const consumer = await read(await gateway.call(`/_gateway/requests/${id}`, { key }));
  return { operator: operator.sentences.join(' '), consumer: consumer.sentences.join(' '), answer: operator.answer };
}

test('the explanation of a refusal by a manual ban says that the ban was lifted since', async () => {
  const key = await createKey('Shop');
  await admin('PUT', `/keys/${key.id}/ban`, { seconds: 3600, reason: 'test' });
  expect(await refused(key, 'by-hand')).toBe('key_banned');
  const during = await explained('by-hand', key);
  expect(during.operator).toMatch(/The key can be used again from .* then lift the ban\.$/);
  expect(during.answer).toMatch(/is banned until .*What to do: reply to this message\./s);

  await admin('DELETE', `/keys/${key.id}/ban`, { reason: 'test' });
  const after = await explained('by-hand', key);
  expect(after.operator).toMatch(/admin lifted the ban at .* The key could be used again from .* The ban is over\.$/);
  expect(after.consumer).toMatch(/An operator lifted the ban at .* The ban is over\.$/);
  for (const text of Object.values(after)) expect(text).not.toMatch(/can be used again|can lift|then lift/);
  expect(after.answer).toMatch(/We lifted the ban at .*You can call again now\..*if you want to know why/s);
});

test('the explanation of a refusal by an automatic ban says that the ban was lifted since', async () => {
  const key = await createKey('Report');
  await until(async () => (await refused(key, `strike-${performance.now()}`)) === 'key_banned');
  expect(await refused(key, 'by-strikes')).toBe('key_banned');
  const during = await explained('by-strikes', key);
  expect(during.operator).toMatch(/The key can be used again from .* You can lift the ban\.$/);

  // The start of a ban is recorded in the background. The lift is recorded even if the start is not.
  await admin('DELETE', `/keys/${key.id}/ban`, { reason: 'test' });
  await admin('POST', `/keys/${key.id}/usage/reset`, { reason: 'test' });
  const after = await explained('by-strikes', key);
  expect(after.operator).toContain('admin lifted the ban at ');
  for (const text of Object.values(after)) expect(text).not.toMatch(/can lift the ban/);
  expect(after.answer).toMatch(/We lifted the ban at .*You can call again now\./s);
});

test('the explanation says whether the plan or the key excludes the operation', async () => {
  const byPlan = await createKey('Shop', { plan: 'partner-read' });
  const byKey = await createKey('Shop backend', { operations: ['getPet'] });
  expect(await refused(byPlan, 'by-plan')).toBe('operation_not_allowed');
  expect(await refused(byKey, 'by-key')).toBe('operation_not_allowed');
  const plan = await explained('by-plan', byPlan);
  expect(plan.operator).toContain('Plan partner-read does not include this operation.');
  expect(plan.consumer).toContain('Plan Partner (read) does not include this operation.');
  expect(plan.answer).toContain('Plan Partner (read) does not include this operation.');
  const key = await explained('by-key', byKey);
  expect(key.operator).toContain(
    'The key Shop backend is restricted to other operations; plan free includes this one.',
  );
  expect(key.answer).toContain('Your key Shop backend is restricted to other operations; plan Free includes this one.');
});
