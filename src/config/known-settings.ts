import type { z } from 'zod';
import { isObject } from '../base/json.ts';
import { configSchema } from './config-schema.ts';
import { httpUpstream, moduleUpstream } from './upstream-settings.ts';

/** Lists the settings that the configuration file may have at a path. Empty if any name is allowed there. */
export function listKnownSettings([first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (first === undefined) return Object.keys(configSchema.shape);
  // The kind of an upstream depends on its settings, so the settings of both kinds are possible.
  if (first === 'upstreams') {
    const pathInUpstream = rest.slice(1);
    return [...new Set([httpUpstream, moduleUpstream].flatMap((schema) => listNamesAt(schema, pathInUpstream)))];
  }
  return listNamesAt(configSchema, [first, ...rest]);
}

function listNamesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { innerType, in: input, element, shape } = schema.def as ZodDefinition;
  const innerSchema = innerType ?? input;
  if (innerSchema !== undefined) return listNamesAt(innerSchema, path);
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(shape ?? {});
  const childSchema = element ?? (isObject(shape) && Object.hasOwn(shape, step) ? shape[String(step)] : undefined);
  return childSchema === undefined ? [] : listNamesAt(childSchema, rest);
}

/**
 * The fields of zod's internal definitions that lead to nested schemas: of optional values, transformed values, lists
 * and objects.
 */
interface ZodDefinition {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}
