import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { RedisServer } from '../../support/servers/redis-server.ts';

// A Redis user may lack the permission to run scripts (`-@scripting`, which some hosted servers set). Limits then never
// became exact, and the log did not say why. `StoreUnavailable` was not logged when it was retried. Instead, each
// attempt logged an unrelated warning about persistence, twice a second.

let redis: RedisServer;
let gateway: TestGateway;
beforeAll(async () => {
  redis = await RedisServer.start();
  await redis.client.call('ACL', 'SETUSER', 'tollgate', 'on', '>open-sesame', '~*', '&*', '+@all', '-@scripting');
  gateway = await startTestGateway({
    env: { TOLLGATE_STORE: `redis://tollgate:open-sesame@127.0.0.1:${redis.port}` },
  });
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

const health = async () => (await fetch(`${gateway.adminUrl}/readyz`)).text();
const countersNow = async () => {
  const { components } = (await (await gateway.admin('/v1/system')).json()) as { components: { name: string }[] };
  return components.find(({ name }) => name === 'counters');
};
const linesWith = (text: string) => gateway.logs.filter((line) => line.includes(text));

test('a missing permission to run scripts is reported as the cause, once each time the cause changes', async () => {
  await until(() => linesWith('retrying').length > 0);
  const attempts = await attemptsSoFar();
  await until(async () => (await attemptsSoFar()) > attempts + 2);
  expect(await health()).toContain('degraded');
  expect(await countersNow()).toMatchObject({
    kind: 'redis',
    state: 'degraded',
    cause: expect.stringMatching(/^Redis rejected .*no permission to run scripts\)$/),
  });
  expect(linesWith('Redis cannot be used yet')).toEqual([
    expect.stringMatching(/Redis rejected .* check TOLLGATE_STORE and the ACL \(no permission to run scripts\)/),
  ]);
  expect(linesWith('Redis stores nothing on disk')).toEqual([]);

  await redis.client.call('ACL', 'SETUSER', 'tollgate', '-info');
  await until(() => linesWith('Redis cannot be used yet').length > 1);
  expect(linesWith('Redis cannot be used yet')[1]).toContain('no permission to run info');
  expect(gateway.logs.join('')).not.toContain('open-sesame');
});

test('the store recovers and logs it when the user gets the permission, and logs other warnings about the server once', async () => {
  await redis.client.call('ACL', 'SETUSER', 'tollgate', '+@all');
  await until(async () => (await health()).includes('ready'));
  expect(await countersNow()).toMatchObject({ state: 'ready', cause: null });
  expect(linesWith('Redis can be used"')).toHaveLength(1);
  expect(linesWith('Redis stores nothing on disk')).toHaveLength(1);
});

/** Counts the attempts so far. Each of them inspects the server again. */
async function attemptsSoFar(): Promise<number> {
  return Number(/cmdstat_config(?:\|get)?:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1] ?? 0);
}
