import type { z } from 'zod';

/** Whether a setting holds until the next start (`Fixed`), or is replaced by a reload (`Live`). */
type Part = 'fixed' | 'live' | 'divided';

/** A setting with its part. Each is marked where it is declared, so a new one cannot be left out. */
interface Marked<P extends Part = Part, Schema extends z.ZodType = z.ZodType> {
  readonly part: P;
  readonly schema: Schema;
}

type MarkedSettings = Readonly<Record<string, Marked>>;

/** The setting holds until the next start. */
export function fixed<Schema extends z.ZodType>(schema: Schema): Marked<'fixed', Schema> {
  return { part: 'fixed', schema };
}

/** A reload replaces the setting. */
export function live<Schema extends z.ZodType>(schema: Schema): Marked<'live', Schema> {
  return { part: 'live', schema };
}

/** A section of which each setting is marked by itself. */
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
