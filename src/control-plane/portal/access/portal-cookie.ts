import { HostCookie } from '../../api/sessions/host-cookie.ts';

/** Carries the sessions of the portal. */
export const portalCookie = new HostCookie('tollgate-portal', 'Strict');
