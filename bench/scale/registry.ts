import { asRunning } from '../contenders/contender.ts';
import { type Compared, measureInTurn, ratio, times } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import { progress } from '../lab/session.ts';
import { seed } from '../lab/seed.ts';
import { markdown, verdict } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

const AT_MOST = 1.1;
const ROTATING = 10_000;

/**
 * Measures the cost of a request with few and many keys in the registry, either always with the same key or with 10,000
 * keys in rotation.
 */
export const registry: ScaleRun = async (lab, { sizes, inTurn }) => {
  const all: (Compared & { hasGoal: boolean })[] = [];
  for (const size of sizes) {
    progress(`making ${size} keys`);
    const { dataDir, oneKey, rotation } = await seed(lab, size, ROTATING);
    const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', dataDir });
    const title = `${size.toLocaleString('en')} keys`;
    const start = async () => asRunning(gateway, oneKey);
    all.push({ title, start, hasGoal: true });
    if (size < ROTATING) continue;
    all.push({ title: `${title}, 10,000 of them in rotation`, start, requests: { rotation }, hasGoal: false });
  }
  const measured = await measureInTurn(lab, all, inTurn);
  const rows = measured.map((each, index) => {
    const toFirst = ratio(each, measured[0]!);
    return [each.title, times(each), toFirst.text, all[index]!.hasGoal ? verdict(toFirst.median, AT_MOST) : ''];
  });
  return markdown(['registry (embedded store)', 'CPU µs/request', '/ the first', `≤ ${AT_MOST.toFixed(2)}`], rows);
};
