import { join } from 'node:path';

/** Where the build puts the console (`npm run prepare`). */
export const CONSOLE_FOLDER = join(import.meta.dirname, '../../../dist/console');

/** Paths of the admin listener outside its API. */
export const CONSOLE_PATH = '/console/';
/** Where people sign in with their own account, and where their provider sends them back to. */
export const OIDC_PATH = '/console/oidc';
export const CALLBACK_PATH = '/console/oidc/callback';

/** Redirect targets, by path. They are relative, so that a reverse proxy may add a prefix. */
export const REDIRECTS: Readonly<Record<string, string>> = { '/': 'console/', '/console': 'console/' };
