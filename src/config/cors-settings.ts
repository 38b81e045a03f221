import { z } from 'zod';

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
    'must be an origin such as https://app.example.com, or "*"',
  );

const header = z
  .string()
  .regex(/^(?:[\w!#$%&'+.^`|~-]+|\*)$/, 'must be the name of a header such as Location, or "*"')
  .refine((name) => !/^set-cookie2?$/i.test(name), 'must not be Set-Cookie: browsers never let a script read it');

/** `cors`: which browser applications may call the API, and which response headers they may read. */
export const corsSettings = z
  .strictObject({ origins: z.array(origin).default([]), expose: z.array(header).default([]) })
  .prefault({});

type CorsSettings = z.infer<typeof corsSettings>;

export function findCorsWarnings({ origins, expose }: CorsSettings, place: string): string[] {
  if (origins.length > 0 || expose.length === 0) return [];
  return [`${place}: cors.expose has no effect, because cors.origins is empty: name the origins that may call`];
}
