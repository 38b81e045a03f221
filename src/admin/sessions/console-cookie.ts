import { SessionCookies } from '../../http-api/sessions/session-cookie.ts';

/** Carries the sessions of the console. */
export const consoleCookie = new SessionCookies('tollgate-console');
