import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Faults } from '../src/base/configuration-faults.ts';
import { findExamplePath } from '../src/control-plane/registry/first-start.ts';
import { readDocument } from '../src/openapi/openapi.ts';
import { root } from './support/gateway/gateway.ts';

const suggestedPath = (document: string) =>
  findExamplePath(readDocument(join(root, document), {}, new Faults(), []).operations);

test('the path that the first start suggests exists', () => {
  expect(suggestedPath('config/petstore.openapi.yaml')).toBe('/pets');
  expect(suggestedPath('examples/clock/clock.openapi.yaml')).toBe('/time');
  expect(findExamplePath([])).toBe('/_gateway/usage');
});
