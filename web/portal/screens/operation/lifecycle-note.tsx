import { FlaskConical, Hourglass } from 'lucide-react';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { Brownouts, DeprecationLink } from '../../parts/brownouts.tsx';
import { SuccessorLink } from '../../parts/successor-link.tsx';
import type { Operation } from '../../reference/model/operation.ts';

/** Says when an operation will be removed and what to call instead, or that the operation may still change. */
export function LifecycleNote({ operation: { method, lifecycle } }: { readonly operation: Operation }) {
  const now = useNow();
  const { deprecated, sunsetAt, successor, stability, brownouts, link } = lifecycle;
  if (!deprecated && sunsetAt === null) {
    if (stability === null) return null;
    return (
      <Note icon={FlaskConical}>
        This operation is <strong>{stability}</strong>: it may change without notice.
      </Note>
    );
  }
  return (
    <>
      <Note tone="refused" icon={Hourglass}>
        This operation is deprecated
        {isTime(sunsetAt) ? (
          <>
            {' '}
            and {Date.parse(sunsetAt) > now ? 'will' : 'was due to'} be removed <Time at={sunsetAt} />.
          </>
        ) : (
          '. No removal date has been set.'
        )}
        {successor !== null && (
          <>
            {' '}
            Use <SuccessorLink method={method} successor={successor} /> instead.
          </>
        )}{' '}
        <DeprecationLink link={link} />
      </Note>
      <Brownouts brownouts={brownouts.filter(({ from, to }) => isTime(from) && isTime(to))} />
    </>
  );
}

function isTime(text: string | null): text is string {
  return text !== null && !Number.isNaN(Date.parse(text));
}
