/** Paths of the admin listener outside its API. */
export const CONSOLE_PATH = '/console/';
/** Where people go to sign in with their own account, and where their provider sends them back to. */
export const OIDC_PATH = '/console/oidc';
export const CALLBACK_PATH = '/console/oidc/callback';

/** A path of the admin listener below a URL, which may have a path of its own. */
export function at(base: URL, path: string): string {
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${path}`;
}
