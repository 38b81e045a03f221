import { writeFileSync } from 'node:fs';
import { measureBeside } from './beside/measure-beside.ts';
import { parseOptions } from './options.ts';

const values = parseOptions(
  {
    before: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '6' },
    operations: { type: 'string', default: '5000' },
    changed: { type: 'string', default: '1000' },
    keys: { type: 'string', default: '300' },
  },
  `npm run config-preview -- [options]

How a preview of a reload slows down the requests beside it, and how long it holds the event loop.

  --before DIR       also measures the gateway of another checkout, in turn with this one
  --rounds N         how often each is measured without and with previews (10)
  --seconds N        for how long each time (6)
  --operations N     how many operations the document has (5000)
  --changed N        how many of them the reload would change (1000)
  --keys N           how many keys have operations of their own (300)`,
);

/** Creates a document whose operations have parameters and bodies with schemas, as in a description that people write. */
function createDocument(operations: number, changed: number): string {
  const paths: Record<string, object> = {};
  for (let index = 0; index < operations / 2; index++) {
    const description = `Thing ${index}, as the service keeps it.`;
    const isChanged = index < changed / 2;
    const thing = {
      type: 'object',
      required: ['name', ...(isChanged ? ['size'] : [])],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: isChanged ? 40 : 80, description },
        size: { type: 'integer', format: 'int64' },
        tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      },
    };
    const content = { 'application/json': { schema: thing } };
    const responses = { 200: { description: 'ok', content } };
    const limit = { name: 'limit', in: 'query', required: isChanged, schema: { type: 'integer', maximum: 100 } };
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    paths[`/things${index}/{id}`] = {
      get: { operationId: `getThing${index}`, summary: description, parameters: [id, limit], responses },
      put: {
        operationId: `putThing${index}`,
        summary: description,
        parameters: [id],
        requestBody: { content },
        responses,
      },
    };
  }
  const echo = { operationId: 'getEcho', security: [], responses: { 200: { description: 'ok' } } };
  paths['/echo'] = { get: echo };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths });
}

const operations = Number(values.operations);

await measureBeside(
  {
    noun: 'previews',
    path: '/v1/config/preview',
    body: '',
    document: createDocument(operations, 0),
    upstream: { validation: 'report' },
    async prepare({ openapi, post }) {
      for (let index = 0; index < Number(values.keys); index++) {
        const name = `getThing${index % (operations / 2)}`;
        await post('/v1/keys', { name, owner: `owner-${index}`, plan: 'free', operations: [name] });
      }
      writeFileSync(openapi, createDocument(operations, Number(values.changed)));
    },
  },
  { before: values.before, rounds: Number(values.rounds), seconds: Number(values.seconds) },
);
