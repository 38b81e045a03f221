import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fuzzRound } from './runner.ts';
import { targets } from './targets.ts';
import type { World } from './target.ts';

/** A script that found something once, and what it was. */
interface Seed {
  readonly target: string;
  readonly seed: number;
  readonly story: string;
  readonly script: never;
}

const seeds = JSON.parse(readFileSync(join(import.meta.dirname, 'seeds.json'), 'utf8')) as Seed[];
/** Of new scripts, in each run of the tests; `npm run fuzz` goes on for as long as one likes. */
const FUZZ_MS = 6_000;
const TEST_MS = 90_000;

/** Every script that ever failed, and then new ones: the same in each run, so that a failure is a change's. */
export function fuzzTests(name: string): void {
  const target = targets.find((each) => each.name === name)!;
  let world: World<never>;
  beforeAll(async () => {
    world = await target.open();
  });
  afterAll(() => world.close());

  for (const { seed, story, script } of seeds.filter((each) => each.target === name)) {
    test(`seed ${seed}: ${story}`, () => world.play(script), TEST_MS);
  }

  test(
    'new scripts find nothing',
    async () => {
      const until = performance.now() + FUZZ_MS;
      for (let seed = 1; performance.now() < until; seed++) {
        const { found } = await fuzzRound(target, world, seed, { until });
        expect(found === null ? null : { seed, ...found }).toBeNull();
      }
    },
    TEST_MS,
  );
}
