import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fuzzRound } from './runner.ts';
import { targets } from './targets.ts';
import type { World } from './target.ts';

/** A script that once caused a finding. `title` describes the defect. */
interface Seed {
  readonly target: string;
  readonly seed: number;
  readonly title: string;
  readonly script: never;
}

const seeds = JSON.parse(readFileSync(join(import.meta.dirname, 'seeds.json'), 'utf8')) as Seed[];
/** The time for new scripts in a test run. `npm run fuzz` runs for as long as you like. */
const FUZZ_MS = 6_000;

/**
 * Declares tests that play every script that ever failed, and then new scripts. The seeds are fixed, so a new failure
 * is caused by a change.
 *
 * @param forMs time for new scripts
 */
export function fuzzTests(name: string, forMs = FUZZ_MS): void {
  const target = targets.find((each) => each.name === name)!;
  let world: World<never>;
  beforeAll(async () => {
    world = await target.open();
  });
  afterAll(() => world.close());

  for (const { seed, title, script } of seeds.filter((each) => each.target === name)) {
    test(`the fixed defect of seed ${seed} does not return: ${title}`, () => world.play(script));
  }

  test('new random scripts find no violation', async () => {
    const until = performance.now() + forMs;
    for (let seed = 1; performance.now() < until; seed++) {
      const { found } = await fuzzRound(target, world, seed, { until });
      expect(found === null ? null : { seed, ...found }).toBeNull();
    }
  });
}
