import { platform } from 'node:process';
import * as fc from 'fast-check';
import type { LinkFault } from './faulty-link.ts';

/** A fault to inject. */
export type Fault =
  | { readonly is: 'redis'; readonly does: 'die' | 'stop' | 'restart' | 'forget scripts' | 'drop clients' }
  | { readonly is: 'redis setting'; readonly name: string; readonly value: string }
  | { readonly is: 'redis user'; readonly rule: string }
  | { readonly is: 'postgres'; readonly does: 'die' | 'stop' | 'restart' | 'drop clients' | 'take no changes' }
  /** A fault on the link between the gateway and a server. */
  | { readonly is: 'network'; readonly to?: 'postgres'; readonly does: LinkFault }
  | { readonly is: 'clock'; readonly ms: number }
  /** Nothing reads the pipe that is the standard output. */
  | { readonly is: 'log' }
  /** No file can grow (`fsize`), or no file or socket can be opened (`nofile`). */
  | { readonly is: 'limit'; readonly of: 'fsize' | 'nofile' };

export interface FaultScript {
  /** `postgres` uses PostgreSQL for records and Redis for counters. */
  readonly store: 'sqlite' | 'redis' | 'postgres';
  readonly stdout: 'pipe' | 'full';
  /** True if the first fault is injected before the gateway starts. */
  readonly atStart: boolean;
  /** The faults are injected one after another under load, and repaired at the end. */
  readonly faults: readonly Fault[];
}

const linkFault = fc.constantFrom<LinkFault>('cut', 'stall', 'delay', 'corrupt', 'half close', 'refuse');

const ofPostgres: fc.Arbitrary<Fault>[] = [
  fc.record({
    is: fc.constant('postgres' as const),
    does: fc.constantFrom('die', 'stop', 'restart', 'drop clients', 'take no changes'),
  }),
  fc.record({ is: fc.constant('network' as const), to: fc.constant('postgres' as const), does: linkFault }),
];

const ofRedis: fc.Arbitrary<Fault>[] = [
  fc.record({
    is: fc.constant('redis' as const),
    does: fc.constantFrom('die', 'stop', 'restart', 'forget scripts', 'drop clients'),
  }),
  fc
    .constantFrom(['maxmemory', '1mb'], ['min-replicas-to-write', '1'], ['maxclients', '1'], ['timeout', '1'])
    .map(([name = '', value = '']) => ({ is: 'redis setting' as const, name, value })),
  fc
    .constantFrom('-@scripting', '-@write', '-@all', 'off', '-@pubsub', 'resetkeys', 'resetchannels', '-time', '-ping')
    .map((rule) => ({ is: 'redis user' as const, rule })),
  fc.record({ is: fc.constant('network' as const), does: linkFault }),
];

const local: fc.Arbitrary<Fault>[] = [
  fc
    .constantFrom(-86_400_000, -3_600_000, -10_000, -1000, 1000, 10_000, 3_600_000, 86_400_000)
    .map((ms) => ({ is: 'clock' as const, ms })),
  fc.constant({ is: 'log' as const }),
  // Only Linux can set the limits of another process.
  ...(platform === 'linux'
    ? [fc.constantFrom('fsize' as const, 'nofile' as const).map((of) => ({ is: 'limit' as const, of }))]
    : []),
];

const stdout = fc.constantFrom('pipe' as const, 'pipe' as const, 'pipe' as const, 'full' as const);

export const faultScripts: fc.Arbitrary<FaultScript> = fc.oneof(
  fc.record({
    store: fc.constant('sqlite' as const),
    stdout,
    atStart: fc.constant(false),
    faults: fc.array(fc.oneof(...local), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    store: fc.constant('redis' as const),
    stdout,
    atStart: fc.boolean(),
    faults: fc.array(fc.oneof(...ofRedis, ...ofRedis, ...local), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    store: fc.constant('postgres' as const),
    stdout,
    atStart: fc.boolean(),
    faults: fc.array(fc.oneof(...ofPostgres, ...ofPostgres, ...ofRedis), { minLength: 1, maxLength: 4 }),
  }),
);
