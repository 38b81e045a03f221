import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { buttonClass, Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { useRowShortcuts } from '../../../shared/behaviour/row-shortcuts.ts';
import { Empty } from '../../../shared/ui/page/states.tsx';
import { PERIODS, periodFrom } from '../../../shared/traffic/period.ts';
import { PeriodSelect } from '../../../shared/traffic/period-select.tsx';
import { OwnerLink } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';
import styles from './owners-screen.module.css';

const MAX_OWNERS = 100;

/** Who uses the API, and how much? */
export function OwnersScreen() {
  const period = periodFrom(useSearch({ from: '/owners' }).period);
  useRowShortcuts();
  return (
    <Page title="Owners" answer={<p>Whose keys call the API, the busiest first.</p>} actions={<FindOwner />}>
      <Section title={`In the last ${PERIODS[period].words}`} aside={<PeriodSelect period={period} />}>
        <Ranking
          period={period}
          by="owner"
          limit={MAX_OWNERS}
          header="Owner"
          caption="Owners with the most requests"
          nameOf={(owner) =>
            owner === null ? <span className={parts.muted}>no known key</span> : <OwnerLink owner={owner} row />
          }
          empty={
            <Empty
              icon={UsersRound}
              title="No owner called"
              action={
                <Link to="/keys" search={{ do: 'create' }} className={buttonClass('plain')}>
                  Create a key
                </Link>
              }
            >
              Owners are named when keys are created. Those whose keys call the API are listed here.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

/** The way to an owner who called nothing lately. */
function FindOwner() {
  const [owner, setOwner] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (owner.trim() !== '') void navigate({ to: '/owners/$owner', params: { owner: owner.trim() } });
  };
  return (
    <form className={styles.find} onSubmit={submit}>
      <TextField label="Go to an owner" placeholder="Exact name" value={owner} onChange={setOwner} />
      <Button type="submit">Go</Button>
    </form>
  );
}
