import { parseLabOptions, print, printProgress, withLab } from '../lab/session.ts';
import { measureUnderLoad } from './under-load.ts';
import { measureLoneRequests } from './lone-requests.ts';

const values = parseLabOptions(
  {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    contenders: { type: 'string' },
    only: { type: 'string', default: 'load,lone' },
  },
  `npm run latency -- [options]

How long a request takes when clients do not wait for each other, at shares of the highest load, and what a request costs
that is alone.

  --rounds N           how often each is measured, in turn (5)
  --seconds N          for how long each time (5)
  --connections N      over how many connections, under load (64)
  --contenders A,B     under load, these contenders; "npm run bench -- --list" has the names
  --only A,B           of load, lone`,
);

await withLab(values, async (lab) => {
  const { only, contenders } = values;
  const settings = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
  };
  for (const part of only.split(',')) {
    printProgress(part);
    if (part === 'load') {
      const connections = Number(values.connections);
      print(await measureUnderLoad(lab, { ...settings, connections, only: contenders?.split(',') }));
    } else if (part === 'lone') print(await measureLoneRequests(lab, settings));
    else throw new Error(`there is no part ${part} (--help names all)`);
  }
});
