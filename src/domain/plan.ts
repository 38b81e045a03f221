import { z } from 'zod';
import { RegistryError } from './registry-error.ts';
import { ALWAYS, isAbove } from '../base/zod-checks.ts';
import { type Limits, listWindows } from './quota-limits.ts';

const positiveInteger = z.int('must be a positive whole number').positive('must be a positive whole number');

const limitsSchema = z
  .strictObject({ minute: positiveInteger, day: positiveInteger, month: positiveInteger.exactOptional() })
  .superRefine((limits, context) => {
    const windows = listWindows<unknown>(limits ?? {});
    for (const [index, longer] of windows.entries()) {
      const shorter = windows[index - 1];
      if (shorter === undefined || !isAbove(shorter.view, longer.view)) continue;
      const [low, high] = [
        `${longer.name} limit (${Number(longer.view)})`,
        `${shorter.name} limit (${Number(shorter.view)})`,
      ];
      context.addIssue({ code: 'custom', message: `the ${high} must not be greater than the ${low}` });
    }
  }, ALWAYS);

const MAX_SELECTORS = 200;
const MAX_SELECTOR = 516;

/** Selectors of operations (`src/openapi/operation-selectors.ts`). Null: all operations. */
const operationSelectors = z
  .array(z.string().min(1, 'must not be empty').max(MAX_SELECTOR, `must be at most ${MAX_SELECTOR} characters`))
  .min(1, 'must not be an empty list: to include all operations, remove `operations`')
  .max(MAX_SELECTORS, `must have at most ${MAX_SELECTORS} entries`)
  // The admin API refuses repeated selectors, but a file may have them.
  .overwrite((selectors) => [...new Set(selectors)])
  .readonly()
  .nullable();

const planShape = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter'),
  name: z.string().regex(/\S/, 'must not be empty').max(128, 'must be at most 128 characters'),
  description: z.string().max(1000, 'must be at most 1000 characters').default(''),
  /** The price for display in the portal, such as "$49 a month"; empty if none is shown. */
  priceText: z.string().max(100, 'must be at most 100 characters').default(''),
  /** Null exactly if the plan is custom: each key then has limits of its own. */
  limits: limitsSchema.readonly().nullable().default(null),
  /** Maximum number of requests in flight for one quota, on one gateway. Null: no limit. */
  concurrent: positiveInteger.nullable().default(null),
  custom: z.boolean().default(false),
  mode: z.enum(['enforce', 'shadow']).default('enforce'),
  onStoreFailure: z.enum(['local', 'open', 'closed']).default('local'),
  operations: operationSelectors.default(null),
});

/**
 * The rules that every plan must follow, wherever it comes from. The document of the admin API repeats the limits of
 * each field for its readers. A test compares the two.
 */
export const planSchema = planShape.superRefine((plan, context) => {
  if (typeof plan?.custom !== 'boolean' || plan.custom === (plan.limits === null)) return;
  const message = plan.custom
    ? 'must be removed, because the plan is custom: each of its keys has its own'
    : 'is required unless the plan is custom (then each key has its own limits)';
  context.addIssue({ code: 'custom', path: ['limits'], message });
}, ALWAYS);

/** Limits and terms that keys refer to. */
export type Plan = Readonly<z.output<typeof planSchema>>;

/** The names of all fields of a plan. */
export const planFields = Object.keys(planShape.shape) as readonly (keyof Plan)[];

/** A plan as stored. */
export interface StoredPlan extends Plan {
  /**
   * A positive integer that rises with every change. It is never reused, not even if a plan is deleted and created
   * again. Clients send it in `If-Match`.
   */
  readonly revision: number;
}

/** @throws RegistryError `limits_mismatch` if a plan breaks the rules of `planSchema` */
export function checkPlan(plan: Plan): void {
  const { error } = planSchema.safeParse(plan);
  if (error !== undefined) throwLimitsMismatch(`plan ${plan.id}, ${formatFirstFault(error)}`);
}

/**
 * @throws RegistryError `limits_mismatch` if a key's limits are invalid, missing although its plan is custom, or given
 * although its plan is not custom
 */
export function checkKeyLimits(plan: Plan, limits: Limits | null): void {
  if (!plan.custom && limits !== null) {
    throwLimitsMismatch(`plan ${plan.id} has its own limits: remove those of the key, or choose a custom plan`);
  }
  if (plan.custom && limits === null) {
    throwLimitsMismatch(`plan ${plan.id} is custom: set limits for the key (minute and day)`);
  }
  if (limits !== null) checkLimits(limits);
}

/** @throws RegistryError `limits_mismatch` if limits are invalid */
export function checkLimits(limits: Limits): void {
  const { error } = limitsSchema.safeParse(limits);
  if (error !== undefined) throwLimitsMismatch(formatFirstFault(error));
}

function formatFirstFault({ issues: [first] }: z.ZodError): string {
  const path = first?.path.join('.') ?? '';
  return path === '' ? (first?.message ?? '') : `${path}: ${first?.message}`;
}

function throwLimitsMismatch(message: string): never {
  throw new RegistryError('limits_mismatch', message);
}

export function createPlanNotFoundError(id: string): RegistryError {
  return new RegistryError('plan_not_found', `there is no plan ${id}`);
}

export function createPlanInUseError(id: string, goal: string): RegistryError {
  const message = `plan ${id} is used by accounts or by keys that are not revoked: move the accounts and keys to another plan, or revoke the keys, before you ${goal}`;
  return new RegistryError('plan_in_use', message);
}
