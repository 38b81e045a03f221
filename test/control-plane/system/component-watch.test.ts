import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  ComponentWatch,
  type Condition,
  createCondition,
  READY,
} from '../../../src/control-plane/system/component-watch.ts';
import { until } from '../../support/until.ts';

let now: number;
let condition: Condition;
let checks: number;
let watch: ComponentWatch;

beforeEach(() => {
  now = 1000;
  checks = 0;
  condition = READY;
  const check = () => {
    checks++;
    return condition;
  };
  watch = new ComponentWatch(
    () => [{ name: 'counters', kind: 'redis', condition: check }],
    () => now,
    5,
  );
});
afterEach(() => watch.stop());

test('the state of a component keeps its start time while only the cause changes', () => {
  now = 2000;
  expect(watch.report()).toEqual([{ name: 'counters', kind: 'redis', state: 'ready', cause: null, since: 1000 }]);
  condition = createCondition('degraded', 'Redis cannot be reached');
  now = 3000;
  expect(watch.report()).toMatchObject([{ state: 'degraded', cause: 'Redis cannot be reached', since: 3000 }]);
  condition = createCondition('degraded', 'Redis is loading');
  now = 4000;
  expect(watch.report()).toMatchObject([{ state: 'degraded', cause: 'Redis is loading', since: 3000 }]);
  condition = createCondition('away', 'Redis is gone');
  now = 5000;
  expect(watch.report()).toMatchObject([{ state: 'away', since: 5000 }]);
  condition = createCondition('degraded', null);
  now = 6000;
  expect(watch.report()).toMatchObject([{ state: 'ready', cause: null, since: 6000 }]);
});

test('the start time of a state is recorded even if no report is requested', async () => {
  condition = createCondition('away', 'gone');
  now = 3000;
  const before = checks;
  await until(() => checks > before);
  now = 9000;
  expect(watch.report()).toMatchObject([{ state: 'away', since: 3000 }]);
});
