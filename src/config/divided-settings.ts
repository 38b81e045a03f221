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
interface MarkedSetting<P extends Part = Part, Schema extends z.ZodType = z.ZodType> {
  readonly part: P;
  readonly schema: Schema;
}

type MarkedSettings = Readonly<Record<string, MarkedSetting>>;

/** Marks a setting that stays the same until the next start. */
export function markFixed<Schema extends z.ZodType>(schema: Schema): MarkedSetting<'fixed', Schema> {
  return { part: 'fixed', schema };
}

/** Marks a setting that a reload replaces. */
export function markLive<Schema extends z.ZodType>(schema: Schema): MarkedSetting<'live', Schema> {
  return { part: 'live', schema };
}

/** Marks a section whose settings are marked one by one. */
export function markDivided<Schema extends z.ZodType>(schema: Schema): MarkedSetting<'divided', Schema> {
  return { part: 'divided', schema };
}

/** The schemas of all settings, in the same order. */
export function collectSchemas<Settings extends MarkedSettings>(
  settings: Settings,
): { [Name in keyof Settings]: Settings[Name]['schema'] } {
  const schemas = Object.entries(settings).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(schemas) as { [Name in keyof Settings]: Settings[Name]['schema'] };
}

type SchemasIn<Settings extends MarkedSettings, P extends Part> = {
  [Name in keyof Settings as Settings[Name]['part'] extends P ? Name : never]: Settings[Name]['schema'];
};

/** The schemas of the settings of one part. */
export function selectSchemas<Settings extends MarkedSettings, P extends Part>(
  settings: Settings,
  part: P,
): SchemasIn<Settings, P> {
  const chosenSettings = Object.entries(settings).filter(([, setting]) => setting.part === part);
  return Object.fromEntries(chosenSettings.map(([name, { schema }]) => [name, schema])) as SchemasIn<Settings, P>;
}
