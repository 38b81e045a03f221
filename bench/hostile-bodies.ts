import { readCpuMs } from '../src/base/run-within.ts';
import { createHostileBodies, prepareBodyCheck } from '../test/openapi/validation/hostile-bodies.ts';
import { formatTable } from './table.ts';
import { median } from './measure.ts';

/**
 * Measures how long checks of hostile bodies hold up other requests. The aim is that none takes longer than about 10 ms.
 * Times are CPU times.
 */

/** The system counts CPU time in ticks of up to 10 ms, so each measurement spans many checks. */
const MIN_MS = 50;
const ROUNDS = 3;
const WARM_UP = 5;
/** The number of bodies in the table: those that take longest. */
const SHOWN = 15;
const AIM_MS = 10;

/** Measures the CPU time of a check, in ms. */
function measureMs(check: () => void): number {
  const start = readCpuMs();
  for (let checks = 1; ; checks++) {
    check();
    const passed = readCpuMs() - start;
    if (passed >= MIN_MS) return passed / checks;
  }
}

const measured = Array.from(createHostileBodies(), ({ title, schema, text }) => {
  const check = prepareBodyCheck(schema);
  const body = Buffer.from(text);
  const work = () => void check(body);
  for (let round = 0; round < WARM_UP; round++) work();
  return { title, bytes: body.length, ms: median(Array.from({ length: ROUNDS }, () => measureMs(work))) };
}).sort((one, other) => other.ms - one.ms);
const rows = measured
  .slice(0, SHOWN)
  .map(({ title, bytes, ms }) => [
    title,
    bytes.toLocaleString('en'),
    ms.toFixed(2),
    ms <= AIM_MS ? 'met' : '**missed**',
  ]);
process.stdout.write(`${formatTable([`the slowest of ${measured.length} bodies`, 'bytes', 'ms', 'aim'], rows)}\n`);
