import type { PortalOperations, Schemas } from './portal-handlers.ts';

/** The appearance of the portal: `portal.title` and so on. */
interface Look {
  readonly title: string;
  /** A `data:` URL. */
  readonly logo: string | null;
  readonly accent: string | null;
}

export interface SiteDependencies {
  readonly look: Look;
  readonly signUp: 'invite' | 'request' | 'open';
  readonly hasOidc: boolean;
  /** `portal.public`. */
  readonly isPublic: boolean;
  readonly contact: string | null;
  /** URL of the API. */
  readonly apiUrl: () => string;
}

export function createSiteOperations(dependencies: SiteDependencies): Pick<PortalOperations, 'getSite'> {
  const { look, signUp, hasOidc, isPublic, contact, apiUrl } = dependencies;
  const signIn: Schemas['Site']['signIn'] = hasOidc ? ['oidc', 'link', 'key'] : ['link', 'key'];
  return {
    getSite() {
      const body = { ...look, signIn, signUp, apiUrl: apiUrl().replace(/\/$/, ''), public: isPublic, contact };
      return { status: 200, body };
    },
  };
}
