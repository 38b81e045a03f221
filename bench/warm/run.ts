import { options, print, progress, withLab } from '../lab/session.ts';
import { firstSecond } from './first-second.ts';
import { startUp } from './start-up.ts';

const values = options(
  {
    starts: { type: 'string', default: '7' },
    only: { type: 'string', default: 'first-second,start-up' },
  },
  `npm run warm -- [options]

What the first second of load costs after a start, beside a later one, and how long starting takes.

  --starts N        how often each is started (7)
  --only A,B        of first-second, start-up`,
);

await withLab(values, async (lab) => {
  const starts = Number(values.starts);
  for (const part of values.only.split(',')) {
    progress(part);
    if (part === 'first-second') print(await firstSecond(lab, starts));
    else if (part === 'start-up') print(await startUp(lab, starts));
    else throw new Error(`there is no part ${part} (--help names all)`);
  }
});
