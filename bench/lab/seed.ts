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
const BATCH_SIZE = 10_000;
/** A data directory with a registry of keys, and some of these keys for requests. */
export interface SeededRegistry {
  readonly dataDir: string;
  readonly rotation: Rotation;
  readonly oneKey: string;
}

/**
 * Creates keys directly in the registry, because that takes a minute for a million keys. The admin API would take an
 * hour.
 *
 * @param maxSecrets maximum number of keys for requests, which are spread over all keys
 */
export async function seedRegistry(lab: Lab, count: number, maxSecrets = count): Promise<SeededRegistry> {
  const { openSqliteDatabase, Registry, format } = await openRegistry(lab);
  const dataDir = lab.folder(`registry-${count}`);
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'));
  const registry = new Registry(database);
  const change = { actor: 'system', reason: 'bench', at: Date.now() };
  await registry.seedPlans([plan], change);
  const secrets: string[] = [];
  const stride = Math.max(1, Math.floor(count / maxSecrets));
  for (let createdCount = 0; createdCount < count; createdCount += BATCH_SIZE) {
    const batch: NewKey[] = [];
    for (let index = createdCount; index < Math.min(createdCount + BATCH_SIZE, count); index++) {
      const secret = format.generateSecret();
      if (index % stride === 0 && secrets.length < maxSecrets) secrets.push(secret);
      batch.push(createKey(format.generateKeyId(), format.createKeyPreview(secret)));
    }
    await registry.createKeys(batch, change);
  }
  await database.close();
  const keyFile = join(dataDir, 'keys.txt');
  writeFileSync(keyFile, `${secrets.join('\n')}\n`);
  return { dataDir, rotation: new Rotation(keyFile, secrets.length), oneKey: secrets[0]! };
}

function createKey(id: string, preview: { hash: string; prefix: string; lastFour: string }): NewKey {
  const limits = {
    limits: LIMITS,
    concurrent: null,
    operations: null,
    addresses: null,
    validation: null,
    externalId: null,
  };
  const terms = { plan: 'enterprise', ...limits, status: 'active', metadata: {}, kind: 'secret', token: null } as const;
  return {
    id,
    quotaId: id,
    name: 'bench',
    owner: 'acme',
    ...preview,
    ...terms,
    createdAt: Date.now(),
    expiresAt: null,
  };
}

/** Loads the code of the registry from the measured checkout, because its schema may differ. */
async function openRegistry(lab: Lab) {
  const load = (path: string) => import(pathToFileURL(join(lab.gatewayFolder, 'src', path)).href);
  const { openSqliteDatabase } = (await load('storage/sqlite.ts')) as typeof DatabaseModule;
  const { Registry } = (await load('control-plane/registry/registry.ts')) as typeof RegistryModule;
  const [currentPath, formerPath] = ['domain/key-format.ts', 'base/key-format.ts'] as const;
  const isFormer = !existsSync(join(lab.gatewayFolder, 'src', currentPath));
  const format = (await load(isFormer ? formerPath : currentPath)) as typeof KeyFormatModule;
  return { openSqliteDatabase, Registry, format };
}
