import { join } from 'node:path';
import { openDatabase } from '../../src/petstore/store/database.ts';
import { seedDemo } from '../../src/petstore/demo.ts';
import { createStore } from '../../src/petstore/store/index.ts';
import type { StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { WORK_PER_ADMISSION, type Contender, type Running } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/**
 * The floors: the simplest programs that write the same bytes as Tollgate, and make the same call of the same script and the
 * same read of the pet. What Tollgate costs above them is the price of its keys, its checks, its log and its metrics.
 */
const WITHOUT_CHECKS = 'no key, no validation, no log, no metrics, no timeouts; the same bytes as Tollgate';
const CHARGED = { redis: "Tollgate's script, one call per turn", embedded: 'two counters in memory' } as const;

export const floorHttpEmbedded = createFloorHttp('floor-http-embedded', 'embedded');
export const floorHttpRedis = createFloorHttp('floor-http', 'redis');
export const floorProxyEmbedded = createFloorProxy('floor-proxy-embedded', 'embedded');
export const floorProxyRedis = createFloorProxy('floor-proxy', 'redis');

function createFloorHttp(name: string, store: StoreKind): Contender {
  return {
    name,
    title: `floor in process: \`node:http\`, the same response, ${formatStore(store)}`,
    differs: `${WITHOUT_CHECKS}; ${CHARGED[store]}`,
    ...(store === 'redis' ? { redis: WORK_PER_ADMISSION } : {}),
    start: async (lab) => startFloor(lab, 'floor-http.ts', store, { PETS: await createPets(lab) }),
  };
}

function createFloorProxy(name: string, store: StoreKind): Contender {
  return {
    name,
    title: `floor with an HTTP upstream: undici, the same header fields, ${formatStore(store)}`,
    differs: `${WITHOUT_CHECKS}; ${CHARGED[store]}; no backpressure`,
    ...(store === 'redis' ? { redis: WORK_PER_ADMISSION } : {}),
    start: (lab) => startFloor(lab, 'floor-proxy.ts', store, {}),
  };
}

function startFloor(lab: Lab, file: string, store: StoreKind, env: Record<string, string>): Promise<Running> {
  return startNodeServer(lab, file, { STORE: store, ...env });
}

function formatStore(store: StoreKind): string {
  return store === 'redis' ? 'Redis' : 'no Redis';
}

/** Creates a database with the pets that Tollgate has in the benchmark. */
async function createPets(lab: Lab): Promise<string> {
  const file = join(lab.folder('floor'), 'pets.db');
  const database = await openDatabase(file, { durability: 'normal', logger: { warn: () => {} } });
  seedDemo(database, createStore(database, { types: new Set(), onEventsAdded: () => {} }));
  database.close();
  return file;
}
