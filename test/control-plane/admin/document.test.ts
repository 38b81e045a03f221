import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { document } from '../../support/gateway/admin-responses.ts';
import { AUDIT_ACTIONS } from '../../../src/control-plane/registry/audit-log.ts';
import { gatewayEvents } from '../../../src/control-plane/events/gateway-events.ts';
import { DOCUMENT_FILE, PREFIX } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { Faults } from '../../../src/base/configuration-faults.ts';
import { StartError } from '../../../src/base/error-types.ts';
import { loadDocument } from '../../../src/control-plane/api-server/api-document.ts';
import type { Lifecycle } from '../../../src/openapi/operation-lifecycle.ts';
import { allWebhooks } from '../../../src/openapi/delivered-webhooks.ts';
import { readUpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { root } from '../../support/gateway/gateway.ts';
import { lintDocument } from '../../support/openapi-linter.ts';

const lifecycle: Lifecycle = {
  deprecated: true,
  deprecatedAt: Date.parse('2026-01-01T00:00:00Z'),
  sunsetAt: null,
  brownouts: [{ from: Date.parse('2026-12-01T09:00:00Z'), to: Date.parse('2026-12-01T10:00:00Z') }],
  stability: 'beta',
  successor: '/pets?id={petId}',
  deprecationLink: null,
};
const served = ['GET', 'DELETE'].map((method) => ({
  operation: {
    id: `${method} pet`,
    method,
    path: '/pets/{petId}',
    tags: [],
    cost: 3,
    lifecycle,
    source: '',
    timeoutMs: null,
    maxBodyBytes: null,
    validation: null,
    public: false,
  },
  upstream: { name: 'petstore' },
  validation: null,
}));

const petstore = {
  name: 'petstore',
  document: readUpstreamDocument(join(root, 'config/petstore.openapi.yaml'), {}, new Faults()),
};

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ served, serviceWebhooks: await allWebhooks([petstore]) });
});
afterAll(() => admin.stop());

test('the served document is the one used for routing, with the event types for operators added', async () => {
  const { webhooks, components, ...rest } = (await admin.get('/v1/openapi.json')).body;
  const { components: own, ...file } = document as typeof document & { components: object };
  expect(rest).toEqual(file);
  expect(components).toMatchObject(own);
  const types = petstore.document.eventTypes.map(({ name }) => name);
  expect(types).toHaveLength(8);
  expect(Object.keys(webhooks)).toEqual([...Object.keys(gatewayEvents), ...types]);
  expect(webhooks['store.degraded'].post).toMatchObject({
    operationId: 'on_store_degraded',
    tags: ['events'],
    description: 'Sent to operators only.',
    security: [],
    parameters: [
      { $ref: '#/components/parameters/GatewayWebhookId' },
      { $ref: '#/components/parameters/GatewayWebhookTimestamp' },
      { $ref: '#/components/parameters/GatewayWebhookSignature' },
    ],
  });
});

test('the served OpenAPI document is valid', async () => {
  expect(await lintDocument((await admin.get('/v1/openapi.json')).body)).toEqual([]);
});

test('the OpenAPI document in the source code is valid', async () => {
  expect(await lintDocument(document)).toEqual([]);
});

test('all actions of the audit log are in the OpenAPI document', () => {
  const { AuditAction } = (document as object as { components: { schemas: Record<string, { enum: string[] }> } })
    .components.schemas;
  expect(AuditAction?.enum).toEqual(AUDIT_ACTIONS);
});

test('an operation without a handler or a handler without an operation prevents the start', async () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  const handlers = Object.fromEntries(ids.map((id) => [id, () => ({ status: 200 })]));
  const load = (given: object) => loadDocument(DOCUMENT_FILE, PREFIX, given);
  expect((await load(handlers)).routes).toHaveLength(ids.length);
  const { getKey: _, ...missing } = handlers;
  await expect(load(missing)).rejects.toThrow(StartError);
  await expect(load(missing)).rejects.toThrow(/nothing handles getKey$/);
  await expect(load({ ...handlers, extra: () => ({ status: 200 }) })).rejects.toThrow(/does not have extra$/);
});

test('the operations of the services are listed by path, in pages', async () => {
  const { items, nextCursor } = (await admin.get('/v1/operations?limit=1')).body;
  expect(items).toEqual([
    {
      id: 'DELETE pet',
      method: 'DELETE',
      path: '/pets/{petId}',
      tags: [],
      public: false,
      upstream: 'petstore',
      cost: 3,
      validation: { mode: 'off', candidate: false },
      lifecycle: {
        ...lifecycle,
        deprecatedAt: '2026-01-01T00:00:00.000Z',
        brownouts: [{ from: '2026-12-01T09:00:00.000Z', to: '2026-12-01T10:00:00.000Z' }],
      },
    },
  ]);
  const rest = (await admin.get(`/v1/operations?limit=1&cursor=${nextCursor}`)).body;
  expect(rest).toMatchObject({ items: [{ id: 'GET pet' }], nextCursor: null });
});
