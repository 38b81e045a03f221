import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { StartError } from '../base/error-types.ts';
import { tableOf } from '../base/table-of.ts';

/** Maximum size of the logo. It is small because the logo is in the first response of every visit. */
export const MAX_LOGO_BYTES = 100 * 1024;
const MEDIA_TYPES = tableOf({ '.png': 'image/png', '.svg': 'image/svg+xml' });

/**
 * Reads the picture that `portal.logo` names.
 *
 * @returns a `data:` URL; browsers do not run scripts in an image, not even in an SVG file
 * @throws StartError if the file cannot be used
 */
export function readLogo(file: string): string {
  const type = MEDIA_TYPES.get(extname(file).toLowerCase());
  if (type === undefined) throw new StartError(`portal.logo: ${file} must be a PNG or SVG file`);
  try {
    if (statSync(file).size <= MAX_LOGO_BYTES) return `data:${type};base64,${readFileSync(file, 'base64')}`;
  } catch (error) {
    throw new StartError(`portal.logo: ${file} cannot be read (${(error as Error).message})`);
  }
  throw new StartError(`portal.logo: ${file} is larger than the maximum of ${MAX_LOGO_BYTES} bytes`);
}
