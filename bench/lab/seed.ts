import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as KeyFormatModule from '../../src/domain/key-format.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { enterprise as plan } from '../../test/support/registry-data.ts';
import type * as RegistryModule from '../../src/control-plane/registry/registry.ts';
import type * as DatabaseModule from '../../src/storage/sqlite.ts';
import { LIMITS, type Lab } from './lab.ts';
import { Rotation } from './rotation.ts';

/** Keys per transaction. */
const LOT = 10_000;
/** A data directory with a registry of keys, and some of these keys for requests. */
export interface Seeded {
  readonly dataDir: string;
  readonly rotation: Rotation;
  readonly oneKey: string;
}

/**
 * Creates keys directly in the registry, because that takes a minute for a million keys. The admin API would take an
 * hour.
 *
 * @param most maximum number of keys for requests, which are spread over all keys
 */
export async function seed(lab: Lab, count: number, most = count): Promise<Seeded> {
  const { openSqliteDatabase, Registry, format } = await openRegistry(lab);
  const dataDir = lab.folder(`registry-${count}`);
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'));
  const registry = new Registry(database);
  const change = { actor: 'system', reason: 'bench', at: Date.now() };
  await registry.seedPlans([plan], change);
  const secrets: string[] = [];
  const every = Math.max(1, Math.floor(count / most));
  for (let made = 0; made < count; made += LOT) {
    const lot: NewKey[] = [];
    for (let index = made; index < Math.min(made + LOT, count); index++) {
      const secret = format.generateSecret();
      if (index % every === 0 && secrets.length < most) secrets.push(secret);
      lot.push(newKey(format.generateKeyId(), format.keyPreview(secret)));
    }
    await registry.createKeys(lot, change);
  }
  await database.close();
  const keyFile = join(dataDir, 'keys.txt');
  writeFileSync(keyFile, `${secrets.join('\n')}\n`);
  return { dataDir, rotation: new Rotation(keyFile, secrets.length), oneKey: secrets[0]! };
}

function newKey(id: string, traces: { hash: string; prefix: string; lastFour: string }): NewKey {
  const limits = { limits: LIMITS, concurrent: null, operations: null, addresses: null, validation: null, externalId: null };
  const terms = { plan: 'enterprise', ...limits, status: 'active', metadata: {}, kind: 'secret', token: null } as const;
  return { id, quotaId: id, name: 'bench', owner: 'acme', ...traces, ...terms, createdAt: Date.now(), expiresAt: null };
}

/** Loads the code of the registry from the measured checkout, because its schema may differ. */
async function openRegistry(lab: Lab) {
  const load = (path: string) => import(pathToFileURL(join(lab.gatewayFolder, 'src', path)).href);
  const { openSqliteDatabase } = (await load('storage/sqlite.ts')) as typeof DatabaseModule;
  const { Registry } = (await load('control-plane/registry/registry.ts')) as typeof RegistryModule;
  const [now, before] = ['domain/key-format.ts', 'base/key-format.ts'] as const;
  const isBefore = !existsSync(join(lab.gatewayFolder, 'src', now));
  const format = (await load(isBefore ? before : now)) as typeof KeyFormatModule;
  return { openSqliteDatabase, Registry, format };
}
