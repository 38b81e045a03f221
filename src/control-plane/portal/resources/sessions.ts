import { Refused } from '../../api-server/refused.ts';
import { isHttps, portalCookie } from '../../sign-in/browser-session.ts';
import type { PortalAccessDependencies } from '../access/access-dependencies.ts';
import { accountOf, requireSession } from '../access/caller.ts';
import type { PortalOperations } from './portal-handlers.ts';
import { sessionJson, whoamiJson } from './session-json.ts';

export function sessionOperations({
  accounts,
  publicUrl,
  clock,
}: Pick<PortalAccessDependencies, 'accounts' | 'publicUrl' | 'clock'>): Pick<
  PortalOperations,
  'getPortalSession' | 'portalSignOut' | 'listPortalSessions' | 'endPortalSession'
> {
  const { sessions } = accounts;

  return {
    getPortalSession: ({ caller }) => ({ status: 200, body: whoamiJson(requireSession(caller)) }),

    async portalSignOut({ caller, request, change }) {
      await sessions.end(requireSession(caller).session.id, change);
      return { status: 204, headers: { 'Set-Cookie': portalCookie.clear(isHttps(request, publicUrl)) } };
    },

    async listPortalSessions({ caller }) {
      const open = await sessions.listOf(accountOf(caller).id, clock());
      return {
        status: 200,
        body: { items: open.map((session) => sessionJson(session, requireSession(caller).session)) },
      };
    },

    async endPortalSession({ path: { id }, caller, change }) {
      const open = await sessions.listOf(accountOf(caller).id, clock());
      const isOwn = open.some((session) => session.id === id);
      if (!isOwn || !(await sessions.end(id, change))) throw new Refused('session_not_found');
      return { status: 204 };
    },
  };
}
