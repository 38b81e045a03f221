import { type LoadPlan, runLoad } from './run-load.ts';

/** A separate program. It takes a plan as JSON and prints its report as JSON. */
const report = await runLoad(JSON.parse(process.argv[2] ?? '') as LoadPlan);
process.stdout.write(JSON.stringify(report));
