import { pino } from 'pino';
import { servePetstore } from '../../../src/petstore/serve.ts';

// The pet store in a process of its own, for tests that kill it. Arguments: the database and the OpenAPI document.
const [database = '', openapiPath = ''] = process.argv.slice(2);
await servePetstore({ port: 0, host: '127.0.0.1', openapiPath, database, demo: false, logger: pino() });
