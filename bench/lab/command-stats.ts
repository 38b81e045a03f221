import type { Lab } from './lab.ts';

/** What Redis counted of a command so far. */
interface CommandStats {
  readonly calls: number;
  /** What it took in Redis itself, without reading and writing. */
  readonly micros: number;
}

/** @param command in lower case; `eval` stands for `evalsha` too */
export async function commandStats({ redis }: Lab, command: string): Promise<CommandStats> {
  const counted = (await redis.client.info('commandstats')).matchAll(/^cmdstat_(\w+):calls=(\d+),usec=(\d+)/gm);
  const matching = [...counted].filter(([, name]) => name === command || name === `${command}sha`);
  return {
    calls: matching.reduce((sum, [, , calls]) => sum + Number(calls), 0),
    micros: matching.reduce((sum, [, , , micros]) => sum + Number(micros), 0),
  };
}
