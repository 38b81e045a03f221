import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Faults } from '../src/base/configuration-faults.ts';
import { pathToTry } from '../src/control-plane/registry/first-start.ts';
import { readDocument } from '../src/openapi/openapi.ts';
import { root } from './support/gateway/gateway.ts';

const toTry = (document: string) => pathToTry(readDocument(join(root, document), {}, new Faults(), []).operations);

test('the operation that the start offers to try exists', () => {
  expect(toTry('config/petstore.openapi.yaml')).toBe('/pets');
  expect(toTry('examples/clock/clock.openapi.yaml')).toBe('/time');
  expect(pathToTry([])).toBe('/_gateway/usage');
});
