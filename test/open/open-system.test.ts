import { expect, test } from '@jest/globals';
import { warnOfReplicas } from '../../src/open/open-system.ts';
import { keepLog } from '../support/log-lines.ts';

test('the log warns once of more gateways than replicas says, where they share counters', () => {
  const log = keepLog();
  const redis = { kind: 'redis', url: 'redis://127.0.0.1:6379' } as const;
  const warn = warnOfReplicas({ store: redis, replicas: 2 }, log.logger);
  for (const gateways of [1, 2, 3, 3, 2, 3, 4]) warn(gateways);
  warnOfReplicas({ store: { kind: 'embedded' }, replicas: 1 }, log.logger)(2);
  expect(log.lines).toEqual([3, 4].map((gateways) => expect.objectContaining({ gateways, replicas: 2, level: 40 })));
});
