import { join } from 'node:path';

/** Where the build puts the portal's pages (`npm run prepare`). */
export const PORTAL_FOLDER = join(import.meta.dirname, '../../../dist/portal');

/** Where the build puts the guides, relative to the folder of the pages. */
export const GUIDES_FILE = '../guides.json';

/** The path of the portal's pages. Its listener serves nothing but the pages and the portal's API. */
export const PAGES_PATH = '/';
/** Where people sign in with their own account, and where their provider sends them back to. */
export const OIDC_PATH = '/api/oidc/start';
export const CALLBACK_PATH = '/api/oidc/callback';
/** The page that asks new users for their name. */
export const WELCOME_PAGE = 'welcome';
