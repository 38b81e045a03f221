import type { TargetOptions } from '../../../src/data-plane/upstreams/http/target.ts';

/** Options of a target with limits that a test does not reach. */
export const targetOptions: TargetOptions = {
  timeouts: { connect: 5000, wait: 5000, response: 5000, idle: 5000 },
  maxConnections: 10,
  maxWaiting: 10,
  maxStreams: 10,
  maxConnectionAge: 60_000,
  maxResponseHeader: 16_384,
};
