import { useQuery } from '@tanstack/react-query';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { healthQuery } from '../../api/health.ts';
import { Health } from '../../parts/health.tsx';
import { Sessions } from './sessions.tsx';

const ANSWERS: Readonly<Record<string, string>> = {
  ready: 'This gateway serves, and reaches its stores.',
  degraded: 'This gateway serves, but cannot reach a store: limits are counted by each gateway on its own.',
  starting: 'This gateway is starting and does not serve yet.',
  shutting_down: 'This gateway is stopping: it finishes what runs, and takes nothing new.',
};

/** Is the installation well, and who is signed in? */
export function SystemScreen() {
  const health = useQuery(healthQuery).data;
  return (
    <Page title="System" answer={health !== undefined && <p>{ANSWERS[health] ?? health}</p>} actions={<Health />}>
      <Section title="Who is signed in">
        <Sessions />
      </Section>
    </Page>
  );
}
