import { cpSync } from 'node:fs';
import { toRunningContender } from '../contenders/contender.ts';
import { type ComparedServer, measureInTurn, computeRatio, formatTimes } from '../in-turn.ts';
import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { Rotation } from '../lab/rotation.ts';
import { printProgress } from '../lab/session.ts';
import { seedRegistry, type SeededRegistry } from '../lab/seed.ts';
import { formatTable, formatVerdict } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

const STORES = ['embedded', 'redis'] as const;
const MAX_RATIOS = { embedded: 1.5, redis: 1.3 } as const;
const FEW_KEYS = 10;

/**
 * Compares the cost of a request with ten keys in rotation and with a million keys in rotation. Both use the same
 * generator. Each gateway has exactly the keys that are used, and each key has been used before.
 */
export const measureRotation: ScaleRun = async (lab, { rotating, inTurn }) => {
  const servers: ComparedServer[] = [];
  for (const count of [FEW_KEYS, rotating]) {
    printProgress(`making ${count} keys`);
    const seededRegistry = await seedRegistry(lab, count);
    for (const store of STORES) servers.push(compareRotation(lab, store, copyRegistry(lab, seededRegistry), count));
  }
  const measured = await measureInTurn(lab, servers, inTurn);
  const rows = measured.map((each, index) => {
    if (index < STORES.length) return [each.title, formatTimes(each), '', '', ''];
    const ratioToFewKeys = computeRatio(each, measured[index - STORES.length]!);
    const maxRatio = MAX_RATIOS[STORES[index % STORES.length]!];
    return [
      each.title,
      formatTimes(each),
      ratioToFewKeys.text,
      `≤ ${maxRatio}`,
      formatVerdict(ratioToFewKeys.median, maxRatio),
    ];
  });
  return formatTable(['keys in rotation', 'CPU µs/request', `/ ${FEW_KEYS} keys`, 'goal', ''], rows);
};

function compareRotation(
  lab: Lab,
  store: StoreKind,
  { dataDir, rotation, oneKey }: SeededRegistry,
  count: number,
): ComparedServer {
  return {
    title: `${count.toLocaleString('en')}, ${store === 'redis' ? 'Redis' : 'embedded store'}`,
    start: async () => toRunningContender(await startGateway(lab, { store, upstream: 'in-process', dataDir }), oneKey),
    requests: { rotation },
    warmUpRequests: Math.max(150_000, count),
  };
}

/** Copies the data directory, because two gateways cannot use the same one. */
function copyRegistry(lab: Lab, { dataDir, rotation, oneKey }: SeededRegistry): SeededRegistry {
  const copy = lab.folder('copy');
  cpSync(dataDir, copy, { recursive: true });
  return { dataDir: copy, rotation: new Rotation(rotation.file, rotation.count), oneKey };
}
