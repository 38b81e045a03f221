import { type LoadPlan, runLoad } from './run-load.ts';

/** A program of its own: given a plan as JSON, it prints its report as JSON. */
const report = await runLoad(JSON.parse(process.argv[2] ?? '') as LoadPlan);
process.stdout.write(JSON.stringify(report));
