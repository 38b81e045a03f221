import { TriangleAlert } from 'lucide-react';
import { formatExactTime } from '../../shared/format/time.ts';
import { useNow } from '../../shared/ui/data/time.tsx';
import { Note } from '../../shared/ui/page/states.tsx';
import { safeAddress } from '../markdown/safe-address.ts';
import { useSite } from '../session/session-context.ts';

interface Brownout {
  readonly from: string;
  readonly to: string;
}

/** Lists the times at which an operation is temporarily switched off. Renders nothing once all of them are over. */
export function Brownouts({ brownouts }: { readonly brownouts: readonly Brownout[] }) {
  const now = useNow();
  const ahead = brownouts
    .filter(({ to }) => Date.parse(to) > now)
    .toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from));
  if (ahead.length === 0) return null;
  return (
    <Note tone="refused" icon={TriangleAlert}>
      It will be temporarily switched off at these times, and calls will return 410:
      <ul>
        {ahead.map(({ from, to }) => (
          <li key={from}>
            {formatExactTime(Date.parse(from))} to {formatExactTime(Date.parse(to))}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/**
 * The path of the API's document. It is not linked as a deprecation notice, because the reference says the same and the
 * path needs a key.
 */
const DOCUMENT_PATH = '/_gateway/openapi.json';

/**
 * Links to the team's notice about a deprecation. If the link is only a path, it is relative to the API, not to the
 * portal.
 */
export function DeprecationLink({ link }: { readonly link: string | null }) {
  const { apiUrl } = useSite();
  const address =
    link === null || link === DOCUMENT_PATH ? null : safeAddress(link.startsWith('/') ? apiUrl + link : link);
  if (address === null) return null;
  return (
    <a href={address} rel="noreferrer">
      More about this change
    </a>
  );
}
