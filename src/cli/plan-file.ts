import type { Environment } from '../config/environment.ts';
import { Faults } from '../base/configuration-faults.ts';
import { readPlans } from '../config/load.ts';
import type { Plan } from '../control-plane/registry/plans/plan.ts';
import { Failure } from './failure.ts';

/** @throws Failure with every fault of the file */
export function readPlansFile(path: string, env: Environment): readonly Plan[] {
  const faults = new Faults();
  const plans = readPlans(path, env, faults);
  if (plans !== null && faults.count === 0) return plans;
  throw new Failure(`the plans cannot be applied:\n${faults.lines.map((line) => `  ${line}`).join('\n')}`);
}
