import { expect, test } from '@jest/globals';
import { createDataPlane, type DataPlaneOptions } from '../../src/data-plane/data-plane.ts';
import { readDocument } from '../support/documents.ts';
import { captureLog } from '../support/log-lines.ts';

/** The steps of a gateway with default settings. */
const { stepNames: order } = createDataPlane({
  routes: [],
  observers: [],
  decisionObservers: [],
  corsOrigins: [],
  exposedHeaders: [],
  dropHeaders: [],
  foreignKeys: [],
  ietfHeaders: true,
  tokens: null,
  tracing: null,
  getApiCatalog: null,
  logger: captureLog().logger,
} as unknown as DataPlaneOptions);

test('ARCHITECTURE.md explains the steps of the request path, in their order', () => {
  const section = readDocument('ARCHITECTURE.md').split('## The request path')[1] ?? '';
  const listed = Array.from(section.matchAll(/^\d+\. \*\*(\w+)\*\*/gm), ([, name]) => name);
  expect(listed).toEqual(order);
});

test("the README's diagram shows the same steps", () => {
  const section = readDocument('README.md').split('## The request path')[1] ?? '';
  const picture = section.split('```')[1] ?? '';
  const drawn = Array.from(picture.matchAll(/^ {3}│ {2}(\w+)/gm), ([, name]) => name);
  expect(drawn).toEqual(order);
});
