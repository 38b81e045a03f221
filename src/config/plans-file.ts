import { z } from 'zod';
import { ALWAYS, isAbove, repeated } from './schema-parts.ts';
import { MAX_SELECTOR, MAX_SELECTORS } from '../openapi/operation-selectors.ts';

const limit = z.int('must be a positive whole number').positive('must be a positive whole number');

const limitsSchema = z
  .strictObject({ minute: limit, day: limit, month: limit.exactOptional() })
  .refine((limits) => !isAbove(limits?.minute, limits?.day), {
    ...ALWAYS,
    message: 'the minute limit must not be greater than the day limit',
  })
  .refine((limits) => !isAbove(limits?.day, limits?.month), {
    ...ALWAYS,
    message: 'the day limit must not be greater than the month limit',
  });

/** Operation ids, and `tag:NAME`. */
const selectors = z
  .array(z.string().min(1, 'must not be empty').max(MAX_SELECTOR, `must be at most ${MAX_SELECTOR} characters`))
  .min(1, 'must not be an empty list: to include all operations, remove `operations`')
  .max(MAX_SELECTORS, `must have at most ${MAX_SELECTORS} entries`);

const planSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter'),
    name: z.string().min(1, 'must not be empty').max(128, 'must be at most 128 characters'),
    description: z.string().max(1000, 'must be at most 1000 characters').default(''),
    priceText: z.string().max(100, 'must be at most 100 characters').default(''),
    limits: limitsSchema.nullable().default(null),
    custom: z.boolean().default(false),
    mode: z.enum(['enforce', 'shadow']).default('enforce'),
    onStoreFailure: z.enum(['local', 'open', 'closed']).default('local'),
    operations: selectors.nullable().default(null),
  })
  .refine((plan) => typeof plan?.custom !== 'boolean' || plan.custom === (plan.limits === null), {
    ...ALWAYS,
    path: ['limits'],
    message: 'is required unless the plan is custom (then each key has its own limits)',
  });

/** The shape of a plans file. */
export const plansSchema = z
  .strictObject({ plans: z.array(planSchema).min(1, 'must have at least one plan') })
  .superRefine((file, context) => {
    for (const { index, value: id } of repeated(file?.plans, 'id')) {
      const message = `is used twice: two plans have the id ${id}`;
      context.addIssue({ code: 'custom', path: ['plans', index, 'id'], message });
    }
  }, ALWAYS);
