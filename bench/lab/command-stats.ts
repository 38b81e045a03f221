import type { Lab } from './lab.ts';

/** Redis's counters of a command. */
interface CommandStats {
  readonly calls: number;
  /** Time in Redis itself, without reading and writing, in µs. */
  readonly micros: number;
}

/** @param command in lower case; `eval` includes `evalsha` */
export async function readCommandStats({ redis }: Lab, command: string): Promise<CommandStats> {
  const matches = (await redis.client.info('commandstats')).matchAll(/^cmdstat_(\w+):calls=(\d+),usec=(\d+)/gm);
  const matching = [...matches].filter(([, name]) => name === command || name === `${command}sha`);
  return {
    calls: matching.reduce((sum, [, , calls]) => sum + Number(calls), 0),
    micros: matching.reduce((sum, [, , , micros]) => sum + Number(micros), 0),
  };
}
