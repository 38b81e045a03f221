import type { z } from 'zod';

/**
 * `fixed`: the setting stays the same until the next start. `live`: a reload replaces it. `divided`: a section with
 * settings of both kinds.
 */
type Part = 'fixed' | 'live' | 'divided';

/**
 * A setting with its part. The part is given where the setting is declared, so that it cannot be forgotten for a new
 * setting.
 */
interface Marked<P extends Part = Part, Schema extends z.ZodType = z.ZodType> {
  readonly part: P;
  readonly schema: Schema;
}

type MarkedSettings = Readonly<Record<string, Marked>>;

/** Marks a setting that stays the same until the next start. */
export function fixed<Schema extends z.ZodType>(schema: Schema): Marked<'fixed', Schema> {
  return { part: 'fixed', schema };
}

/** Marks a setting that a reload replaces. */
export function live<Schema extends z.ZodType>(schema: Schema): Marked<'live', Schema> {
  return { part: 'live', schema };
}

/** Marks a section whose settings are marked one by one. */
export function divided<Schema extends z.ZodType>(schema: Schema): Marked<'divided', Schema> {
  return { part: 'divided', schema };
}

/** The schemas of all settings, in the same order. */
export function allSchemas<Settings extends MarkedSettings>(
  settings: Settings,
): { [Name in keyof Settings]: Settings[Name]['schema'] } {
  const schemas = Object.entries(settings).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(schemas) as { [Name in keyof Settings]: Settings[Name]['schema'] };
}

type SchemasIn<Settings extends MarkedSettings, P extends Part> = {
  [Name in keyof Settings as Settings[Name]['part'] extends P ? Name : never]: Settings[Name]['schema'];
};

/** The schemas of the settings of one part. */
export function schemasIn<Settings extends MarkedSettings, P extends Part>(
  settings: Settings,
  part: P,
): SchemasIn<Settings, P> {
  const chosen = Object.entries(settings).filter(([, setting]) => setting.part === part);
  return Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema])) as SchemasIn<Settings, P>;
}
