import { HostCookie } from '../../api/sessions/host-cookie.ts';

/** Carries the sessions of the console. */
export const consoleCookie = new HostCookie('tollgate-console', 'Strict');
