/** However hostile a document or overlay is, each comparison ends with a response, and the next comparison works. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { documentScripts } from '../../fuzz/document/document-scripts.ts';
import { mutate } from '../../fuzz/document/mutate.ts';
import type { Admin } from '../../support/gateway/admin.ts';
import { IN_FORCE, NEXT, startCalledShop } from '../../support/gateway/called-shop.ts';
import { root } from '../../support/gateway/gateway.ts';
import { createDocument } from '../../support/gateway/reloading-gateway.ts';

const CASES = 25;
const MANY_COMPARISONS_MS = 600_000;

let admin: Admin;
beforeAll(async () => {
  admin = await startCalledShop();
});
afterAll(() => admin.stop());

const compare = (document: string, overlays: readonly string[] = []) =>
  admin.call('POST', '/v1/documents/diff', { json: { upstream: 'shop', document, overlays } });

test(
  'randomly broken documents are compared or refused, and never stop the gateway',
  async () => {
    const base = readFileSync(join(root, 'test/fuzz/document/everything.openapi.yaml'), 'utf8');
    for (const script of fc.sample(documentScripts, { numRuns: CASES, seed: 71 })) {
      // oxlint-disable-next-line no-await-in-loop -- one comparison runs at a time
      const { status, body } = await compare(mutate(base, script));
      expect([200, 422]).toContain(status);
      if (status === 422) expect(body.details.length).toBeGreaterThan(0);
    }
    expect((await compare(JSON.stringify(NEXT))).status).toBe(200);
  },
  MANY_COMPARISONS_MS,
);

test(
  'two documents of 24 MB can be compared',
  async () => {
    const description = 'word '.repeat(4_800_000);
    const large = (operations: Parameters<typeof createDocument>[0]) => ({
      ...createDocument(operations),
      info: { title: 'Large', version: '1', description },
    });
    const called = await startCalledShop(large({ pets: {}, orders: {}, stores: {} }));
    const document = JSON.stringify(large({ orders: {}, toys: {} }));
    expect(document.length).toBeGreaterThan(24_000_000);
    const { status, body } = await called.call('POST', '/v1/documents/diff', { json: { upstream: 'shop', document } });
    await called.stop();
    expect(status).toBe(200);
    expect(body.summary).toMatchObject({ breaking: 2, compatible: 1, called: 1, keys: 2 });
  },
  MANY_COMPARISONS_MS,
);

const deep = '[?@'.repeat(2000);
test.each<[string, string]>([
  ['descendants of descendants', '$'.concat('..*'.repeat(12))],
  ['filters in filters', `$${'[?@'.repeat(300)}${']'.repeat(300)}`],
  ['filters that do not end', `$${deep}`],
  ['a pattern that backtracks', String.raw`$..[?match(@, '(a|a)*(a|a)*(a|a)*b')]`],
  ['a search that backtracks', String.raw`$..[?search(@, '(x+x+)+y')]`],
  ['a filter over all pairs', '$..[?count($..*) > count($..*)]'],
  ['a slice of everything', `$${'[::1,::1]'.repeat(200)}`],
  ['a long path', `$${'.a'.repeat(100_000)}`],
])(
  'the comparison ends with an overlay that has %s',
  async (_, target) => {
    const description = `${'a'.repeat(5000)}${'x'.repeat(5000)}`;
    const document = JSON.stringify({ ...IN_FORCE, info: { title: 'T', version: '1', description } });
    const actions = [{ target, update: { description: 'changed' } }];
    const overlay = stringify({ overlay: '1.0.0', info: { title: 'O', version: '1' }, actions });
    const { status, body } = await compare(document, [overlay]);
    expect([200, 422]).toContain(status);
    if (status === 422) expect(body.details[0].message).toBeTruthy();
    expect((await compare(JSON.stringify(NEXT))).status).toBe(200);
  },
  MANY_COMPARISONS_MS,
);
