import { afterEach, expect, jest, test } from '@jest/globals';
import { Target } from '../../../../src/data-plane/upstreams/http/target.ts';
import { targetOptions } from '../../../support/services/target-options.ts';

const url = 'http://127.0.0.1:9';

let target: Target;
afterEach(async () => {
  jest.restoreAllMocks();
  await target.close();
});

/** @param connects returns true if the next connection succeeds */
function targetWith(connects: () => boolean): Target {
  return new Target(url, targetOptions, (_, done) => {
    // The request fails whether the connection succeeds or not.
    if (connects()) done(null, undefined as never);
    else done(new Error('refused'), null);
  });
}

async function request(): Promise<void> {
  await target.healthCheckConnection.request({ method: 'GET', path: '/' }).catch(() => undefined);
}

test('without health checks, the state of a target is unknown, and time alone does not make it ready', async () => {
  let now = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  target = targetWith(() => false);
  const cause = 'no health check has run';
  expect(target.condition).toEqual({ url, state: 'unknown', cause, isUp: true });
  target.eject();
  expect(target.condition).toEqual({ url, state: 'away', cause: 'the gateway cannot connect to it', isUp: false });
  now += 5001;
  expect(target.condition).toEqual({
    url,
    state: 'unknown',
    cause: 'the last connection to it failed, and no health check has run',
    isUp: false,
  });
});

test('a successful connection shows that the target is up', async () => {
  let works = false;
  target = targetWith(() => works);
  await request();
  expect(target.condition).toMatchObject({ state: 'unknown', isUp: false });
  works = true;
  await request();
  expect(target.condition).toMatchObject({ state: 'unknown', isUp: true });
});

test('a health check decides the state of a target, unless connecting fails', () => {
  target = targetWith(() => false);
  target.isHealthy = true;
  expect(target.condition).toEqual({ url, state: 'ready', cause: null, isUp: true });
  target.isHealthy = false;
  expect(target.condition).toEqual({ url, state: 'away', cause: 'its health check fails', isUp: false });
  target.isHealthy = true;
  target.eject();
  expect(target.condition).toMatchObject({ state: 'away', isUp: false });
});
