import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { formatShortDuration } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { LicensesLink } from '../../../shared/ui/page/licenses-link.tsx';
import { Fact, Facts, Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { ReloadDialog } from '../../actions/lazy-dialogs.ts';
import { gatewaysQuery, type ReloadReport, type System, systemQuery } from '../../api/system.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { Health } from '../../parts/health.tsx';
import { ComponentTroubles } from '../../parts/component-troubles.tsx';
import { useSession } from '../../session/session-context.ts';
import { Components } from './components.tsx';
import { Configuration } from './configuration.tsx';
import { Gateways } from './gateways.tsx';
import { ReloadPreview } from './reload-preview.tsx';
import { Sessions } from './sessions.tsx';
import { TokenIssuers } from './token-issuers.tsx';

const ANSWERS: Readonly<Record<System['health'], string>> = {
  ready: 'This gateway is serving requests and can reach everything it needs.',
  degraded: 'This gateway is serving requests, but a store is degraded.',
  starting: 'This gateway is starting and does not serve requests yet.',
  draining: 'This gateway is stopping. It is finishing the requests in progress and accepts no new ones.',
};

/** Shows whether the installation is healthy, how it is configured, and who is signed in. */
export function SystemScreen() {
  const system = useQuery(systemQuery);
  const reloading = useReloading(system.data?.gateway.host ?? 'this host');
  return (
    <Page
      title="System"
      summary={system.data !== undefined && <SystemSummary system={system.data} />}
      actions={
        <>
          <Freshness query={system} />
          <Health />
        </>
      }
    >
      <ComponentTroubles />
      {system.isPending && <Loading rows={4} />}
      {system.isError && system.data === undefined && <ReadFailure query={system} what="the state of the gateway" />}
      {system.data !== undefined && <ThisGateway system={system.data} />}
      <TokenIssuers />
      <Section title="Gateways">
        <Gateways />
      </Section>
      <Section title="Sessions">
        <Sessions />
      </Section>
      <ReloadPreview button={reloading.button} result={reloading.result} />
      <Section title="Configuration of this gateway">
        <Configuration />
      </Section>
      {reloading.dialog}
    </Page>
  );
}

function useReloading(host: string) {
  const { canChange } = useSession();
  const { opened, open, close } = useDialogInUrl();
  const [reloaded, setReloaded] = useState<ReloadReport | null>(null);
  return {
    button: canChange && (
      <Button icon={RefreshCw} onClick={() => open('reload')}>
        Reload…
      </Button>
    ),
    result: reloaded !== null && <ReloadResult reloaded={reloaded} />,
    dialog: canChange && opened === 'reload' && <ReloadDialog host={host} onReloaded={setReloaded} onClose={close} />,
  };
}

function ReloadResult({ reloaded: { changed, restart, warnings } }: { readonly reloaded: ReloadReport }) {
  return (
    <Note tone={restart.length + warnings.length === 0 ? 'served' : 'refused'}>
      <p>{changed.length === 0 ? 'Reloaded. No setting has changed.' : `Reloaded. Changed: ${changed.join(', ')}.`}</p>
      {restart.length > 0 && <p>Restart the gateway to apply: {restart.join(', ')}.</p>}
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Note>
  );
}

function SystemSummary({ system }: { readonly system: System }) {
  const gateways = useInfiniteQuery(gatewaysQuery).data?.pages.flatMap(({ items }) => items) ?? [];
  const count = (wanted: string) => gateways.filter(({ state }) => state === wanted).length;
  const unchecked = system.components.filter(({ state }) => state === 'unknown').length;
  const [running, gone] = [count('running'), count('gone')];
  return (
    <p>
      {ANSWERS[system.health]}{' '}
      {unchecked > 0 && `${pluralize(unchecked, 'service has', 'services have')} no health check. `}
      <strong>{pluralize(running, 'gateway')}</strong> running
      {gone > 0 && `, ${gone} gone`}.
    </p>
  );
}

function ThisGateway({ system }: { readonly system: System }) {
  const { version, nodeVersion, gateway, listeners, history, components } = system;
  return (
    <Section title="This gateway">
      <Facts>
        <Fact name="Version">{version}</Fact>
        <Fact name="Node">{nodeVersion}</Fact>
        <Fact name="Host">
          <bdi>{gateway.host}</bdi>
        </Fact>
        <Fact name="Started">
          <Time at={gateway.startedAt} />
        </Fact>
        <Fact name="Public address">{listeners.public}</Fact>
        <Fact name="Admin address">{listeners.admin}</Fact>
        <Fact name="History waiting to be written">
          {history.pendingRows === 0
            ? 'none'
            : `${pluralize(history.pendingRows, 'row')}, ${formatShortDuration(history.lagMs)} old`}
        </Fact>
      </Facts>
      <Components components={components} />
      <p>
        <LicensesLink />
      </p>
    </Section>
  );
}
