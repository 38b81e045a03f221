import type { z } from 'zod';
import { isObject } from '../base/json.ts';
import { configSchema } from './config-schema.ts';
import { httpUpstream, moduleUpstream } from './upstream-settings.ts';

/** Lists the settings that the configuration file may have at a path. Empty if any name is allowed there. */
export function knownSettings([first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (first === undefined) return Object.keys(configSchema.shape);
  // The kind of an upstream depends on its settings, so the settings of both kinds are possible.
  if (first === 'upstreams') {
    const within = rest.slice(1);
    return [...new Set([httpUpstream, moduleUpstream].flatMap((schema) => namesAt(schema, within)))];
  }
  return namesAt(configSchema, [first, ...rest]);
}

function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { innerType, in: input, element, shape } = schema.def as Definition;
  const inner = innerType ?? input;
  if (inner !== undefined) return namesAt(inner, path);
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(shape ?? {});
  const part = element ?? (isObject(shape) && Object.hasOwn(shape, step) ? shape[String(step)] : undefined);
  return part === undefined ? [] : namesAt(part, rest);
}

/**
 * The fields of zod's internal definitions that lead to nested schemas: of optional values, transformed values, lists
 * and objects.
 */
interface Definition {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}
