import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { PetStoreStartError } from '../petstore/http/errors.ts';
import type { RunningPetStore } from '../petstore/serve.ts';
import { Failure } from './failure.ts';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly database: string;
  readonly openapi: string;
  readonly demo: boolean;
  readonly durability: 'normal' | 'full';
}

const DOCUMENT = resolve(import.meta.dirname, '../../config/petstore.openapi.yaml');
const DRAIN_DEADLINE_MS = 12_000;

export function createPetstoreCommand(): Command {
  return new Command('petstore')
    .description('Serve the pet store alone, as an HTTP upstream')
    .option('--port <port>', 'Port to listen on; 0 picks a free one', toPort, 9001)
    .option('--host <host>', 'Address to listen on', '127.0.0.1')
    .option('--database <file>', 'SQLite file', 'data/petstore.db')
    .option('--openapi <file>', 'OpenAPI document', DOCUMENT)
    .option('--demo', 'Fill an empty database with a few pets', false)
    .addOption(
      new Option('--durability <level>', 'Durability of writes; full also survives a power failure')
        .choices(['normal', 'full'])
        .default('normal'),
    )
    .addHelpText('after', '\nExample:\n  tollgate petstore --port 9001 --demo')
    .action(serve);
}

async function serve(options: Options): Promise<void> {
  const { openLog } = await import('../telemetry/log/logger.ts');
  const { servePetstore } = await import('../petstore/serve.ts');
  const { drainOnSignal } = await import('../process/signals.ts');
  const { logger } = await openLog('info');
  let store: RunningPetStore | undefined;
  drainOnSignal(async () => store?.close(), DRAIN_DEADLINE_MS, logger);
  try {
    const { openapi, ...rest } = options;
    store = await servePetstore({ ...rest, openapiPath: openapi, logger });
  } catch (error) {
    if (error instanceof PetStoreStartError) throw new Failure(error.message);
    throw error;
  }
}

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Use a port from 0 to 65535.');
}
