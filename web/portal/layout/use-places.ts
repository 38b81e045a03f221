import { useQuery } from '@tanstack/react-query';
import type { PlaceGroup } from '../../shared/ui/frame/navigation.ts';
import { teamPagesQuery } from '../api/front.ts';
import { useVisitor } from '../session/session-context.ts';
import { PLACES, PUBLIC_PLACES, withTeamPages } from './navigation.ts';

/** Returns the links of the sidebar for the current user or visitor. */
export function usePlaces(): readonly PlaceGroup[] {
  const session = useVisitor();
  const pages = useQuery(teamPagesQuery).data ?? [];
  return withTeamPages(session === null ? PUBLIC_PLACES : PLACES, pages);
}
