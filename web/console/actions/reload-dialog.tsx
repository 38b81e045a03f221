import { reloadConfiguration, type ReloadReport } from '../api/system.ts';
import { formatTollgateCommand } from '../api/transport/command-line.ts';
import { ActionDialog } from './dialog/action-dialog.tsx';

interface Props {
  readonly host: string;
  readonly onReloaded: (reloaded: ReloadReport) => void;
  readonly onClose: () => void;
}

export function ReloadDialog({ host, onReloaded, onClose }: Props) {
  const action = {
    title: 'Reload the configuration',
    submit: 'Reload the configuration',
    effect: (
      <p>
        The gateway on <bdi>{host}</bdi> reads its files again: upstreams and their documents, plans, tokens, address
        limits and more. No request is dropped. If the configuration is invalid, the current one stays in effect. Other
        gateways are not reloaded.
      </p>
    ),
    reasonOptional: true,
    change: (_: string, reason: string) => reloadConfiguration(reason),
    command: (_: string, reason: string) => formatTollgateCommand(['config', 'reload'], { reason }),
    done: 'Configuration reloaded',
    onDone: ([response]: readonly unknown[]) => onReloaded(response as ReloadReport),
  };
  return <ActionDialog action={action} subjects={[host]} nameOf={(name) => name} onClose={onClose} />;
}
