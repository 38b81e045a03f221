import { parseLabOptions, print, printProgress, withLab } from '../lab/session.ts';
import { measureFirstSecond } from './first-second.ts';
import { measureHalfMinute } from './half-minute.ts';
import { measureStartUp } from './start-up.ts';

const values = parseLabOptions(
  {
    starts: { type: 'string', default: '7' },
    only: { type: 'string', default: 'first-second,half-minute,start-up' },
    flags: { type: 'string', multiple: true, default: [] },
  },
  `npm run warm -- [options]

What requests cost in the first second and the first half minute after a start, relative to later ones, and how long starting takes.

  --starts N        how often each is started (7)
  --only A,B        of first-second, half-minute, start-up
  --flags='A B'     for half-minute: also start with these flags of V8, embedded only (may be repeated)`,
);

await withLab(values, async (lab) => {
  const starts = Number(values.starts);
  for (const part of values.only.split(',')) {
    printProgress(part);
    if (part === 'first-second') print(await measureFirstSecond(lab, starts));
    else if (part === 'half-minute') print(await measureHalfMinute(lab, starts, values.flags));
    else if (part === 'start-up') print(await measureStartUp(lab, starts));
    else throw new Error(`there is no part ${part} (--help names all)`);
  }
});
