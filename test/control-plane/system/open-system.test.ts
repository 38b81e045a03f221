import { expect, test } from '@jest/globals';
import { createReplicasWarning } from '../../../src/control-plane/system/open-system.ts';
import { captureLog } from '../../support/log-lines.ts';

test('gateways that share counters cause one warning for each number of gateways above replicas', () => {
  const log = captureLog();
  const redis = { kind: 'redis', url: 'redis://127.0.0.1:6379' } as const;
  const warn = createReplicasWarning({ store: redis, replicas: 2 }, log.logger);
  const beat = (count: number, gateways: number, warning = warn) => {
    for (let index = 0; index < count; index++) warning(gateways);
  };
  // One of these gateways was killed and restarted.
  beat(4, 3);
  beat(9, 2);
  expect(log.lines).toEqual([]);
  beat(9, 3);
  beat(9, 4);
  beat(9, 2, createReplicasWarning({ store: { kind: 'embedded' }, replicas: 1 }, log.logger));
  expect(log.lines).toEqual([3, 4].map((gateways) => expect.objectContaining({ gateways, replicas: 2, level: 40 })));
});
