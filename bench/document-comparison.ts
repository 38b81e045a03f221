import { measureBeside } from './beside/measure-beside.ts';
import { parseOptions } from './options.ts';

const values = parseOptions(
  {
    before: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '3' },
    megabytes: { type: 'string', default: '24' },
  },
  `npm run document-comparison -- [options]

How a comparison of two large documents slows down the requests beside it, and how long it holds the event loop.

  --before DIR     also measures the gateway of another checkout, in turn with this one
  --rounds N       how often each is measured without and with comparisons (8)
  --seconds N      for how long each time (3)
  --megabytes N    the size of each document (24)`,
);

const documentBytes = Number(values.megabytes) * 1_000_000;

/** Creates a document of this size: 2,000 operations, and otherwise words. */
function createDocument(bytes: number, removed: number): string {
  const paths: Record<string, object> = {};
  const schema = { type: 'object', properties: { id: { type: 'integer' } } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  for (let index = removed; index < 2000; index++)
    paths[`/things/${index}`] = { get: { operationId: `get${index}`, responses } };
  paths['/echo'] = { get: { operationId: 'getEcho', security: [], responses } };
  const document = { openapi: '3.1.0', info: { title: 'Things', version: '1', description: '' }, paths };
  document.info.description = 'word '.repeat((bytes - JSON.stringify(document).length) / 5);
  return JSON.stringify(document);
}

await measureBeside(
  {
    noun: 'comparisons',
    path: '/v1/documents/diff',
    body: JSON.stringify({ upstream: 'a', document: createDocument(documentBytes, 100) }),
    document: createDocument(documentBytes, 0),
  },
  { before: values.before, rounds: Number(values.rounds), seconds: Number(values.seconds) },
);
