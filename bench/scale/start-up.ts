import { startGateway } from '../lab/gateway.ts';
import { seedRegistry } from '../lab/seed.ts';
import { median } from '../measure.ts';
import { formatTable, formatSpread } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

/** Measures the time from the start of the process until it accepts connections. */
export const measureStartUp: ScaleRun = async (lab, { sizes, inTurn: { rounds } }) => {
  const rows: string[][] = [];
  for (const size of [sizes[0]!, sizes.at(-1)!]) {
    const { dataDir } = await seedRegistry(lab, size, 1);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', dataDir });
      times.push(gateway.startMs);
      await gateway.program.stop(15_000);
    }
    rows.push([`${size.toLocaleString('en')} keys`, `${Math.round(median(times))} (${formatSpread(times, 0)})`]);
  }
  return formatTable(['start-up, on one core', 'ms'], rows);
};
