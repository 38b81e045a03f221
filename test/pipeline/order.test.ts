import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline, type PipelineSettings } from '../../src/pipeline/index.ts';
import { root } from '../support/gateway/gateway.ts';
import { keepLog } from '../support/log-lines.ts';

const order = [
  'accessLog',
  'requestId',
  'edge',
  'match',
  'lifecycle',
  'publicOperations',
  'authenticate',
  'gatewayEndpoints',
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
    logger: keepLog().logger,
  } as unknown as PipelineSettings;
  expect(createPipeline(settings).order).toEqual(order);
});

test('the README shows the same steps', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## The request path'));
  const listed = Array.from(section.matchAll(/^\d+\. \*\*(\w+)\*\*/gm), ([, name]) => name);
  expect(listed).toEqual(order);
});
