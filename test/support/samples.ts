import { type Language, LANGUAGES, type MakeSample } from '../../web/portal/reference/samples/languages.ts';

/** The sample generators of all languages. */
export const SAMPLES = Object.fromEntries(
  await Promise.all(Object.entries(LANGUAGES).map(async ([language, { load }]) => [language, await load()])),
) as Readonly<Record<Language, MakeSample>>;
