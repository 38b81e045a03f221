import { toRunningContender } from '../contenders/contender.ts';
import { type ComparedServer, measureInTurn, computeRatio, formatTimes } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import { printProgress } from '../lab/session.ts';
import { seedRegistry } from '../lab/seed.ts';
import { formatTable, formatVerdict } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

const MAX_RATIO = 1.1;
const ROTATING_KEYS = 10_000;

/**
 * Measures the cost of a request with few and many keys in the registry, either always with the same key or with 10,000
 * keys in rotation.
 */
export const measureRegistry: ScaleRun = async (lab, { sizes, inTurn }) => {
  const servers: (ComparedServer & { hasGoal: boolean })[] = [];
  for (const size of sizes) {
    printProgress(`making ${size} keys`);
    const { dataDir, oneKey, rotation } = await seedRegistry(lab, size, ROTATING_KEYS);
    const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', dataDir });
    const title = `${size.toLocaleString('en')} keys`;
    const start = async () => toRunningContender(gateway, oneKey);
    servers.push({ title, start, hasGoal: true });
    if (size < ROTATING_KEYS) continue;
    servers.push({ title: `${title}, 10,000 of them in rotation`, start, requests: { rotation }, hasGoal: false });
  }
  const measured = await measureInTurn(lab, servers, inTurn);
  const rows = measured.map((each, index) => {
    const toFirst = computeRatio(each, measured[0]!);
    return [
      each.title,
      formatTimes(each),
      toFirst.text,
      servers[index]!.hasGoal ? formatVerdict(toFirst.median, MAX_RATIO) : '',
    ];
  });
  return formatTable(['registry (embedded store)', 'CPU µs/request', '/ the first', `≤ ${MAX_RATIO.toFixed(2)}`], rows);
};
