import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as KeyFormatModule from '../../src/registry/keys/key-format.ts';
import type { NewKey } from '../../src/registry/keys/key.ts';
import type { Plan } from '../../src/registry/plans/plan.ts';
import type * as RegistryModule from '../../src/registry/sql-registry.ts';
import type * as DatabaseModule from '../../src/database/sqlite/sqlite.ts';
import { LIMITS, type Lab } from './lab.ts';

/** One transaction each. */
const LOT = 10_000;
/** How many of the secrets are kept, for requests to be made with. */
const KEPT = 10_000;

/** A data directory with a registry of so many keys, and a file with the secrets of some of them, a line each. */
export interface Seeded {
  readonly dataDir: string;
  readonly keyFile: string;
  readonly oneKey: string;
}

/** Through the registry itself, and not over the admin API: a million keys take a minute and not an hour. */
export async function seed(lab: Lab, count: number): Promise<Seeded> {
  const { openSqliteDatabase, SqlRegistry, format } = await registryOf(lab);
  const dataDir = lab.folder(`registry-${count}`);
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'), 1000);
  const registry = new SqlRegistry(database);
  const change = { actor: 'system', reason: 'bench', at: Date.now() };
  await registry.seedPlans([plan], change);
  const secrets: string[] = [];
  // The keys that requests are made with are spread over all of them.
  const every = Math.max(1, Math.floor(count / KEPT));
  for (let made = 0; made < count; made += LOT) {
    const lot: NewKey[] = [];
    for (let index = made; index < Math.min(made + LOT, count); index++) {
      const secret = format.generateSecret();
      if (index % every === 0) secrets.push(secret);
      lot.push(newKey(format.generateKeyId(), format.keyPreview(secret)));
    }
    await registry.createKeys(lot, change);
  }
  await registry.close();
  await database.close();
  const keyFile = join(dataDir, 'keys.txt');
  writeFileSync(keyFile, `${secrets.slice(0, KEPT).join('\n')}\n`);
  return { dataDir, keyFile, oneKey: secrets[0]! };
}

const plan: Plan = {
  id: 'enterprise',
  name: 'Enterprise',
  description: '',
  custom: true,
  limits: null,
  mode: 'enforce',
  onStoreFailure: 'local',
};

function newKey(id: string, traces: { hash: string; prefix: string; lastFour: string }): NewKey {
  const terms = { plan: 'enterprise', limits: LIMITS, status: 'active', metadata: {} } as const;
  return { id, quotaId: id, name: 'bench', owner: 'acme', ...traces, ...terms, createdAt: Date.now(), expiresAt: null };
}

/** Of the checkout that is measured, whose schema may not be ours. */
async function registryOf(lab: Lab) {
  const load = (path: string) => import(pathToFileURL(join(lab.gatewayFolder, 'src', path)).href);
  const { openSqliteDatabase } = (await load('database/sqlite.ts')) as typeof DatabaseModule;
  const { SqlRegistry } = (await load('registry/sql-registry.ts')) as typeof RegistryModule;
  const format = (await load('registry/key-format.ts')) as typeof KeyFormatModule;
  return { openSqliteDatabase, SqlRegistry, format };
}
