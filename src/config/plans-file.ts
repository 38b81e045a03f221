import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Faults } from '../base/configuration-faults.ts';
import { readYaml, type YamlFile } from '../base/yaml.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { type Plan, planSchema } from '../domain/plan.ts';
import type { Environment } from './environment.ts';
import { checkTexts, interpolateVariables } from './interpolate.ts';
import type { VariableFiles } from './loaded-files.ts';
import { findRepeated } from './schema-parts.ts';

const plansSchema = z
  .strictObject({ plans: z.array(planSchema).min(1, 'must have at least one plan') })
  .superRefine((file, context) => {
    for (const { index, value: id } of findRepeated(file?.plans, 'id')) {
      const message = `is used twice: two plans have the id ${id}`;
      context.addIssue({ code: 'custom', path: ['plans', index, 'id'], message });
    }
  }, ALWAYS);

export function readPlans(path: string, faults: Faults): YamlFile | null {
  if (existsSync(path)) return readYaml(path, faults);
  const advice =
    'copy config/plans.yaml of Tollgate there and change its plans, or set plans to the path of such a file';
  faults.add(path, '', `does not exist. It has the plans that an empty database starts with: ${advice}`);
  return null;
}

/** Parses the plans of a file. Also used by `tollgate plans apply`. */
export function parsePlans(yaml: YamlFile, env: Environment, faults: Faults, files?: VariableFiles): Plan[] | null {
  const raw = interpolateVariables(yaml, env, faults, files);
  checkTexts(yaml, raw, faults);
  const parsed = plansSchema.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data.plans;
  faults.addZod(parsed.error, yaml.locate);
  return null;
}
