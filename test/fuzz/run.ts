import { parseArgs } from 'node:util';
import { Campaign } from './campaign.ts';
import { targets } from './targets.ts';

/** `npm run fuzz -- [client|service|module|fault|document|forwarded …] [--seed N] [--minutes M] [--keep-going] [--script JSON]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** The total time for all targets. */
    minutes: { type: 'string', default: '1' },
    /** Continues after a finding, and ignores further findings of the same kind. */
    'keep-going': { type: 'boolean', default: false },
    /** Plays a script repeatedly. It has the format in which a finding is printed. */
    script: { type: 'string' },
  },
});

const chosen = positionals.length === 0 ? targets.map(({ name }) => name) : positionals;
const ms = (Number(values.minutes) * 60_000) / chosen.length;
let findings = 0;
for (const name of chosen) {
  const target = targets.find((each) => each.name === name);
  if (target === undefined)
    throw new Error(`unknown target ${name}; known: ${targets.map((each) => each.name).join(', ')}`);
  const script = values.script === undefined ? undefined : (JSON.parse(values.script) as unknown);
  const campaign = new Campaign(target, Number(values.seed), { keepGoing: values['keep-going'], script });
  findings += await campaign.run(ms);
}
process.exit(findings === 0 ? 0 : 1);
