import type { PortalOperations, Schemas } from './portal-handlers.ts';

/** What the portal looks like: `portal.title` and so on. */
export interface Look {
  readonly title: string;
  /** A `data:` URL. */
  readonly logo: string | null;
  readonly accent: string | null;
}

export interface SiteDependencies {
  readonly look: Look;
  readonly signUp: 'invite' | 'open';
  readonly hasOidc: boolean;
  /** Where the API is called. */
  readonly apiUrl: () => string;
}

export function siteOperations({ look, signUp, hasOidc, apiUrl }: SiteDependencies): Pick<PortalOperations, 'getSite'> {
  const signIn: Schemas['Site']['signIn'] = hasOidc ? ['oidc', 'link', 'key'] : ['link', 'key'];
  return {
    getSite: () => ({ status: 200, body: { ...look, signIn, signUp, apiUrl: apiUrl().replace(/\/$/, '') } }),
  };
}
