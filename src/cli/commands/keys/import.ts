import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Plan } from '../../../control-plane/registry/plans/plan.ts';
import { connect, type AdminApi } from '../../admin/api.ts';
import { listAll } from '../../admin/read-pages.ts';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { WantedKey } from '../../key-csv.ts';
import { importKeys } from '../../key-import.ts';
import { Progress } from '../../output/progress.ts';
import { printJson } from '../../output/json.ts';
import { count } from '../../output/format.ts';
import { SecretsFile } from '../../secrets-file.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly output: string;
}

const FORM = `
The file is CSV with a header line:

  owner,name,plan,minute,day,expiresAt
  acme,Shop backend,pro,,,
  acme,"Feed, nightly",enterprise,5000,2000000,2027-12-31T00:00:00Z

minute and day belong to custom plans; they and expiresAt may be left out. All lines are checked before the first key
is made. The secrets go into a new file that only you can read.`;

export function keysImport(io: Io): Command {
  return adminCommand('import', 'create many keys, from a CSV file', 'keys import new-keys.csv --output secrets.csv')
    .argument('<file>', 'CSV')
    .requiredOption('--output <file>', 'a new file for the secrets')
    .option(...REASON)
    .addHelpText('after', FORM)
    .action((file: string, options: Options) => importFile(io, file, options));
}

async function importFile(io: Io, file: string, { json, reason, output }: Options): Promise<void> {
  const api = connect(io);
  const keys = await readKeys(io, api, file);
  const secrets = new SecretsFile(resolve(io.cwd, output));
  const progress = new Progress(io, 'keys');
  try {
    await importKeys(api, keys, secrets, reason, (done) => progress.show(done, keys.length));
  } finally {
    progress.end();
    secrets.close();
  }
  if (json === true) return printJson(io, { imported: keys.length, output: secrets.path });
  io.out(`${count(keys.length, 'key')} made. Their secrets are in ${secrets.path}, which only you can read.\n`);
}

/** @throws Failure with every fault of the file */
async function readKeys(io: Io, api: AdminApi, file: string): Promise<readonly WantedKey[]> {
  const text = readText(resolve(io.cwd, file));
  const plans = (await listAll<Plan>(api, '/plans')).items;
  const { readKeyFile } = await import('../../key-csv.ts');
  const { keys, faults } = readKeyFile(text, plans, io.now());
  if (faults.length === 0) return keys;
  throw new Failure(`no key was made, because ${file} has faults:\n${faults.map((one) => `  ${one}`).join('\n')}`);
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Failure(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `${path} is not UTF-8: save it in this encoding`
        : `${path} cannot be read (${code}): check the path and its permissions`,
    );
  }
}
