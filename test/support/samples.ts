import { type Language, LANGUAGES, type MakeSample } from '../../web/portal/reference/samples/languages.ts';

/** Makes the samples of each language, all of them loaded. */
export const SAMPLES = Object.fromEntries(
  await Promise.all(Object.entries(LANGUAGES).map(async ([language, { load }]) => [language, await load()])),
) as Readonly<Record<Language, MakeSample>>;
