import { expect, test } from '@jest/globals';
import { findDifferentParts, findDrift } from '../../../src/control-plane/system/config-drift.ts';
import type { SeenGateway } from '../../../src/control-plane/system/heartbeat.ts';

function gateway(id: string, parts: Record<string, string> | null, since = 0, state: SeenGateway['state'] = 'running') {
  const config = parts === null ? null : { parts, since };
  return { id, host: 'machine', version: '1.0.0', startedAt: 0, lastSeenAt: 0, state, config };
}

const OLD = { guard: 'a', plans: 'p' };
const NEW = { guard: 'b', plans: 'p', 'upstreams.pets': 'u' };

test('gateways with the same configuration cause no drift', () => {
  expect(findDrift([])).toBeNull();
  expect(findDrift([gateway('one', OLD, 5), gateway('two', OLD, 9)])).toBeNull();
});

test('a drift has the parts that differ, and the time when the second configuration came into force', () => {
  const parts = ['guard', 'upstreams.pets'];
  expect(findDrift([gateway('one', OLD, 5), gateway('two', NEW, 9)])).toEqual({ since: 9, parts });
  const third = gateway('three', { ...OLD, plans: 'q' }, 12);
  expect(findDrift([third, gateway('one', OLD, 5), gateway('two', NEW, 9)])).toEqual({
    since: 9,
    parts: ['guard', 'plans', 'upstreams.pets'],
  });
});

test('among ten gateways, the one that was not reloaded is found', () => {
  const reloaded = Array.from({ length: 9 }, (_, index) => gateway(`new ${index}`, NEW, 20 + index));
  const behind = gateway('behind', OLD, 3);
  expect(findDrift([...reloaded, behind])).toEqual({ since: 20, parts: ['guard', 'upstreams.pets'] });
  expect(reloaded.map((each) => findDifferentParts(each, reloaded[0]))).toEqual(reloaded.map(() => []));
  expect(findDifferentParts(behind, reloaded[0])).toEqual(['guard', 'upstreams.pets']);
});

test('gateways that are stopped, gone, or do not report their configuration cause no drift', () => {
  const others = [gateway('stopped', NEW, 0, 'stopped'), gateway('gone', NEW, 0, 'gone'), gateway('old', null)];
  expect(findDrift([gateway('one', OLD), ...others])).toBeNull();
  expect(findDifferentParts(gateway('one', OLD), gateway('old', null))).toBeNull();
  expect(findDifferentParts(gateway('one', OLD), undefined)).toBeNull();
});
