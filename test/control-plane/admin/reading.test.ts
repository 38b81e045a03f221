import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { Faults } from '../../../src/base/configuration-faults.ts';
import { parseUpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { createDocument } from '../../support/gateway/reloading-gateway.ts';
import { readParts } from '../../../src/control-plane/api-server/api-document.ts';
import { DocumentComparisons } from '../../../src/control-plane/documents/document-comparisons.ts';
import { DOCUMENT_FILE } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { createReadingOperations, selectReads } from '../../../src/control-plane/admin/resources/reading.ts';
import { startAdmin } from '../../support/gateway/admin.ts';
import { createUnknownEffects } from '../../../src/control-plane/system/reload-effects.ts';

/** Lists the ids of the operations that viewers may call, although they use POST. */
function listReading(): string[] {
  const { paths } = readParts(DOCUMENT_FILE).value as { paths: Record<string, Record<string, object>> };
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as {
    operationId: string;
    'x-tollgate-reads'?: true;
  }[];
  return operations.filter((operation) => operation['x-tollgate-reads'] === true).map(({ operationId }) => operationId);
}

test('operations that viewers may call although they are POST get only functions that cannot write', async () => {
  const admin = await startAdmin();
  const { registry, history } = admin;
  const reads = selectReads({
    registry,
    history,
    comparisons: new DocumentComparisons(),
    services: [],
    previewReload: async () => createUnknownEffects('not read'),
    clock: () => 0,
  });
  expect(Object.keys(reads).toSorted()).toEqual([
    'audience',
    'clock',
    'comparisons',
    'countKeysByPlan',
    'getPlan',
    'isPlanUsed',
    'keysWithOperations',
    'listPlans',
    'preview',
    'previewReload',
    'services',
  ]);
  expect(Object.keys(createReadingOperations(reads)).toSorted()).toEqual(listReading().toSorted());
  await admin.stop();
});

test('the document of a service cannot give viewers access with x-tollgate-reads', () => {
  const faults = new Faults();
  const text = stringify(createDocument({ pets: { 'x-tollgate-reads': true } }));
  parseUpstreamDocument('shop.yaml', { text, overlays: [] }, {}, faults);
  expect(faults.lines).toEqual([expect.stringContaining('x-tollgate-reads is unknown')]);
});
