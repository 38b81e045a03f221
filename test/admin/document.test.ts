import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DOCUMENT_FILE, loadDocument } from '../../src/admin/document.ts';
import { StartError } from '../../src/base/start-error.ts';
import type { Lifecycle } from '../../src/upstreams/lifecycle.ts';
import { startAdmin, type Admin } from '../support/gateway/admin.ts';
import { document } from '../support/gateway/admin-responses.ts';
import { lintDocument } from '../support/openapi-linter.ts';

const lifecycle: Lifecycle = {
  deprecated: true,
  deprecatedAt: Date.parse('2026-01-01T00:00:00Z'),
  sunsetAt: null,
  stability: 'beta',
  successor: '/pets?id={petId}',
  deprecationLink: null,
};
const served = ['GET', 'DELETE'].map((method) => ({
  operation: {
    id: `${method} pet`,
    method,
    path: '/pets/{petId}',
    cost: 3,
    lifecycle,
    source: '',
    timeoutMs: null,
    maxBodyBytes: null,
    public: false,
  },
  upstream: { name: 'petstore' },
}));

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ served });
});
afterAll(() => admin.stop());

test('the document that routes is the one that is served', async () => {
  expect((await admin.get('/v1/openapi.json')).body).toEqual(document);
});

test('the document has no fault', async () => {
  expect(await lintDocument(DOCUMENT_FILE)).toEqual([]);
});

test('an operation without a handler, or a handler without an operation, is told at start', () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  const handlers = Object.fromEntries(ids.map((id) => [id, () => ({ status: 200 })]));
  expect(loadDocument(handlers).routes).toHaveLength(ids.length);
  const { getKey: _, ...missing } = handlers;
  expect(() => loadDocument(missing)).toThrow(StartError);
  expect(() => loadDocument(missing)).toThrow(/nothing handles getKey$/);
  expect(() => loadDocument({ ...handlers, extra: () => ({ status: 200 }) })).toThrow(/does not have extra$/);
});

test('the operations of the gateway are listed by path, in pages', async () => {
  const { items, nextCursor } = (await admin.get('/v1/operations?limit=1')).body;
  expect(items).toEqual([
    {
      id: 'DELETE pet',
      method: 'DELETE',
      path: '/pets/{petId}',
      upstream: 'petstore',
      cost: 3,
      lifecycle: { ...lifecycle, deprecatedAt: '2026-01-01T00:00:00.000Z' },
    },
  ]);
  const rest = (await admin.get(`/v1/operations?limit=1&cursor=${nextCursor}`)).body;
  expect(rest).toMatchObject({ items: [{ id: 'GET pet' }], nextCursor: null });
});
