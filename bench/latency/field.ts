import type { Contender, Running } from '../contenders/contender.ts';
import { readCommandStats } from '../lab/command-stats.ts';
import type { Lab } from '../lab/lab.ts';
import { applyOpenLoad, type OpenLoad } from '../lab/open-loop/open-loop.ts';
import type { LoadReport } from '../lab/open-loop/run-load.ts';
import { printProgress } from '../lab/session.ts';
import { findMissing } from '../lab/tools.ts';
import { checkResponse, warmUp, watchRedis } from '../measure.ts';

/** Duration of an uncounted load before each measurement. It is needed because V8 drops idle compiled code. */
const REWARM_SECONDS = 3;

/** A contender that was warmed up. */
export interface ReadyContender {
  readonly contender: Contender;
  readonly running: Running;
}

export interface SampledReport extends LoadReport {
  /** Time of scripts in Redis itself, in µs per request. */
  readonly scriptMicros: number;
}

/** Starts and warms up contenders, and prints the skipped ones. */
export async function startContenders(lab: Lab, contenders: readonly Contender[]): Promise<ReadyContender[]> {
  const field: ReadyContender[] = [];
  for (const contender of contenders) {
    const missingPackages = findMissing(contender.needs ?? []).map((tool) => tool.package);
    if (missingPackages.length > 0) {
      printProgress(`skipped: ${contender.name}, for want of ${missingPackages.join(', ')} (see --install)`);
      continue;
    }
    printProgress(`warming up ${contender.name}`);
    const running = await contender.start(lab);
    await checkResponse(running);
    await warmUp(lab, running, { seconds: 2, connections: 64 });
    field.push({ contender, running });
  }
  return field;
}

/** @returns null if the run failed; the reason is printed */
export async function measureSample(
  lab: Lab,
  { contender, running }: ReadyContender,
  load: Pick<OpenLoad, 'perSecond' | 'connections' | 'seconds' | 'seed'>,
): Promise<SampledReport | null> {
  const { url, headers, status } = running;
  try {
    const checkRedis = await watchRedis(lab, contender.redis);
    const scripts = await readCommandStats(lab, 'eval');
    const report = await applyOpenLoad(lab, { url, headers, status, warmUpSeconds: REWARM_SECONDS, ...load });
    const scriptMicros = ((await readCommandStats(lab, 'eval')).micros - scripts.micros) / report.answers;
    await checkRedis(report.answers);
    const { p50, p99, p999, lateP99 } = report;
    const figures = [p50, p99, p999].map((latencyMs) => latencyMs.toFixed(3)).join(' / ');
    printProgress(`${contender.name.padEnd(24)}${figures} ms, sent late by ${lateP99.toFixed(3)}`);
    return { ...report, scriptMicros };
  } catch (error) {
    printProgress(`${contender.name.padEnd(24)}dropped: ${(error as Error).message}`);
    return null;
  }
}
