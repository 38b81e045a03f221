import { SessionCookies } from '../../http-api/sessions/session-cookie.ts';

/** Carries the sessions of the portal. */
export const portalCookie = new SessionCookies('tollgate-portal');
