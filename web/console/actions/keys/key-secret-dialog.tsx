import { useQuery } from '@tanstack/react-query';
import { quoteWord } from '../../../../src/base/portable/shell.ts';
import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import { formatPlan } from '../../api/limits.ts';
import { plansQuery } from '../../api/plans.ts';
import { configurationQuery, systemQuery } from '../../api/system.ts';

/**
 * The gateway responds to calls of any key to this path. They are free, and allowed even if the key includes no
 * operations or its quota is exhausted.
 */
const USAGE_PATH = '/_gateway/usage';

/** Shows the secret of a new key to the operator, who passes it on. */
export function NewKeyDialog({
  secret: { key, name, owner, plan, limits },
  onClose,
}: {
  readonly secret: KeyWithSecret;
  readonly onClose: () => void;
}) {
  const { url, note } = useApiUrl();
  const known = useQuery(plansQuery).data?.find(({ id }) => id === plan);
  const inWords = formatPlan({ name: known?.name ?? plan, limits: limits ?? known?.limits ?? null });
  const command = `curl -H ${quoteWord(`X-API-Key: ${key}`)} ${url}${USAGE_PATH}`;
  return (
    <SecretDialog
      title={`New key “${name}” for ${owner}`}
      warning="The gateway stores only a hash of it."
      secret={key}
      advice={`Copy it now, and give it to the consumer. Its plan: ${inWords}.`}
      command={command}
      message={`Your API key “${name}”, plan ${inWords}:\n\n${key}\n\nSend it in the header X-API-Key with every request. To see its limits and usage, at no cost:\n\n${command}\n`}
      commandTitle="Check that it works: see its limits and usage, at no cost"
      commandLabel="Copy the curl line"
      commandNote={note}
      onClose={onClose}
    />
  );
}

/**
 * Finds the URL at which consumers call the API: the one in the portal's settings, or else the address of this gateway.
 */
function useApiUrl() {
  const settings = useQuery(configurationQuery).data?.settings;
  const configured = settings?.find(({ name }) => name === 'portal.apiUrl')?.value;
  const listens = useQuery(systemQuery).data?.listeners.public;
  if (typeof configured === 'string') return { url: quoteWord(withoutSlash(configured)) };
  return {
    url: listens === undefined ? '"$GATEWAY_URL"' : quoteWord(withoutSlash(listens)),
    note:
      settings !== undefined &&
      'This is where the gateway listens. Set portal.apiUrl to the address that consumers call.',
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
