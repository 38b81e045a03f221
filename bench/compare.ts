import { resolve } from 'node:path';
import { contenders } from './contenders/index.ts';
import { compare, type ComparedServer } from './in-turn.ts';
import { parseLabOptions, print, withLab } from './lab/session.ts';

const values = parseLabOptions(
  {
    with: { type: 'string', default: 'in-process-embedded' },
    before: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
  `npm run compare -- [options]

What a change costs: contenders, and the same ones of another checkout, in many short turns. Each pair of rounds goes
there and back (A B B A).

  --with A,B        which contenders (in-process-embedded); "npm run bench -- --list" has the names
  --before DIR      also measures those of Tollgate in another checkout, such as a worktree of the commit before
  --rounds N        how often each is measured (15)
  --seconds N       for how long each time (2)
  --connections N   how many clients at once (64)`,
);

await withLab(values, async (lab) => {
  const chosen = values.with.split(',').map((name) => {
    const found = contenders.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no contender ${name}`);
    return found;
  });
  const { before } = values;
  const there = before === undefined ? null : { ...lab, gatewayFolder: resolve(before) };
  const all = chosen.flatMap((each): ComparedServer[] => [
    { title: each.name, start: () => each.start(lab) },
    ...(there === null ? [] : [{ title: `${each.name}, before`, start: () => each.start(there) }]),
  ]);
  const { rounds, seconds, connections } = values;
  const load = { seconds: Number(seconds), connections: Number(connections) };
  print(await compare(lab, all, { ...load, rounds: Number(rounds) }));
});
