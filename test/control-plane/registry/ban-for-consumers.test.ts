import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import { toBanForConsumers } from '../../../src/control-plane/registry/ban-for-consumers.ts';

test('a ban is shown to consumers without its message while the database is unavailable', async () => {
  const registry = { listAudit: () => Promise.reject(new StoreUnavailable('away')) };
  const ban = { from: 0, until: 60_000, level: 0, manual: true };
  expect(await toBanForConsumers(registry, 'quota', ban)).toEqual({
    from: '1970-01-01T00:00:00.000Z',
    until: '1970-01-01T00:01:00.000Z',
    level: 0,
    manual: true,
    reason: null,
    message: null,
  });
  const broken = { listAudit: () => Promise.reject(new TypeError('a bug')) };
  await expect(toBanForConsumers(broken, 'quota', ban)).rejects.toThrow('a bug');
});
