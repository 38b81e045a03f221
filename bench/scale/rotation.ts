import { cpSync } from 'node:fs';
import { asRunning } from '../contenders/contender.ts';
import { type Compared, measureInTurn, ratio, times } from '../in-turn.ts';
import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { Rotation } from '../lab/rotation.ts';
import { progress } from '../lab/session.ts';
import { seed, type Seeded } from '../lab/seed.ts';
import { markdown, verdict } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

const STORES = ['embedded', 'redis'] as const;
const AT_MOST = { embedded: 1.5, redis: 1.3 } as const;
const FEW = 10;

/**
 * Compares the cost of a request with ten keys in rotation and with a million keys in rotation. Both use the same
 * generator. Each gateway has exactly the keys that are used, and each key has been used before.
 */
export const rotation: ScaleRun = async (lab, { rotating, inTurn }) => {
  const all: Compared[] = [];
  for (const count of [FEW, rotating]) {
    progress(`making ${count} keys`);
    const seeded = await seed(lab, count);
    for (const store of STORES) all.push(rotatingOver(lab, store, copyOf(lab, seeded), count));
  }
  const measured = await measureInTurn(lab, all, inTurn);
  const rows = measured.map((each, index) => {
    if (index < STORES.length) return [each.title, times(each), '', '', ''];
    const toFew = ratio(each, measured[index - STORES.length]!);
    const atMost = AT_MOST[STORES[index % STORES.length]!];
    return [each.title, times(each), toFew.text, `≤ ${atMost}`, verdict(toFew.median, atMost)];
  });
  return markdown(['keys in rotation', 'CPU µs/request', `/ ${FEW} keys`, 'goal', ''], rows);
};

function rotatingOver(lab: Lab, store: StoreKind, { dataDir, rotation, oneKey }: Seeded, count: number): Compared {
  return {
    title: `${count.toLocaleString('en')}, ${store === 'redis' ? 'Redis' : 'embedded store'}`,
    start: async () => asRunning(await startGateway(lab, { store, upstream: 'in-process', dataDir }), oneKey),
    requests: { rotation },
    warmUpRequests: Math.max(150_000, count),
  };
}

/** Copies the data directory, because two gateways cannot use the same one. */
function copyOf(lab: Lab, { dataDir, rotation, oneKey }: Seeded): Seeded {
  const copy = lab.folder('copy');
  cpSync(dataDir, copy, { recursive: true });
  return { dataDir: copy, rotation: new Rotation(rotation.file, rotation.count), oneKey };
}
