import type { TargetOptions } from '../../../src/data-plane/upstreams/http/target.ts';

/** The options of a target, with limits that tests do not reach. */
export const targetOptions: TargetOptions = {
  timeouts: { connect: 5000, wait: 5000, response: 5000, idle: 5000 },
  maxConnections: 10,
  maxWaiting: 10,
  maxStreams: 10,
  maxConnectionAge: 60_000,
  maxResponseHeader: 16_384,
};
