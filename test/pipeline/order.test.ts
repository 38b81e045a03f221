import { expect, test } from '@jest/globals';
import { createPipeline, type PipelineSettings } from '../../src/data-plane/pipeline.ts';
import { readDocument } from '../support/documents.ts';
import { keepLog } from '../support/log-lines.ts';

const order = [
  'accessLog',
  'requestId',
  'edge',
  'match',
  'lifecycle',
  'authenticate',
  'gatewayEndpoints',
  'gone',
  'publicOperations',
  'admit',
  'unmatched',
  'forward',
  'errors',
];

test('the request path has these steps, in this order', () => {
  const settings = {
    routes: [],
    publicDocument: {},
    corsOrigins: [],
    dropHeaders: [],
    ietfHeaders: true,
    tracing: null,
    logger: keepLog().logger,
  } as unknown as PipelineSettings;
  expect(createPipeline(settings).order).toEqual(order);
});

test('ARCHITECTURE.md explains the same steps', () => {
  const section = readDocument('ARCHITECTURE.md').split('## The request path')[1] ?? '';
  const listed = Array.from(section.matchAll(/^\d+\. \*\*(\w+)\*\*/gm), ([, name]) => name);
  expect(listed).toEqual(order);
});

test("the README's picture shows the same steps", () => {
  const section = readDocument('README.md').split('## The request path')[1] ?? '';
  const picture = section.split('```')[1] ?? '';
  const drawn = Array.from(picture.matchAll(/^ {3}│ {2}(\w+)/gm), ([, name]) => name);
  expect(drawn).toEqual(order);
});
