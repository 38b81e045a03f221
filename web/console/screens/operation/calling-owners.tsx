import type { Period } from '../../../shared/traffic/period.ts';
import { Section } from '../../../shared/ui/page/page.tsx';
import { OwnerName, useAccountOf } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';

/** The number of owners that are listed. Further owners are counted together as others. */
const MAX_OWNERS = 25;

/** Lists the owners that called an operation in the period of the chart, with their email addresses. */
export function CallingOwners({ id, period }: { readonly id: string; readonly period: Period }) {
  return (
    <Section title={`Owners who called it ${period.words}`}>
      <Ranking
        period={period}
        by="owner"
        filters={{ operation: id }}
        limit={MAX_OWNERS}
        header="Owner"
        caption={`Owners who called it ${period.words}`}
        nameOf={(owner) => (owner === null ? 'without a key' : <Owner owner={owner} />)}
        empty={<p className={parts.none}>No requests {period.words}.</p>}
      />
    </Section>
  );
}

function Owner({ owner }: { readonly owner: string }) {
  return <OwnerName owner={owner} account={useAccountOf(owner)} />;
}
