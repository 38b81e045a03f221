import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/** The gateway that most people would build first, from the best-known package for each part. */
export const obvious: Contender = {
  name: 'obvious',
  title: 'do it yourself: Express, http-proxy-middleware, two rate-limiter-flexible on Redis',
  differs: 'static key map; charges each window separately; no bans, no metrics; morgan logs `combined`',
  redis: { command: 'eval', calls: 2 },
  start: (lab) => startNodeServer(lab, 'obvious.ts'),
};
