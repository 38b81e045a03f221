import { useQuery } from '@tanstack/react-query';
import { quoted } from '../../../shared/format/shell.ts';
import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import { configurationQuery, systemQuery } from '../../api/system.ts';

/** Answers with any key, whatever it includes and has used, and costs nothing. */
const USAGE_PATH = '/_gateway/usage';

/** Shows the secret of a new key to the operator, who hands it on. */
export function NewKeyDialog({
  secret: { key, name, owner },
  onClose,
}: {
  readonly secret: KeyWithSecret;
  readonly onClose: () => void;
}) {
  const { url, note } = useApiUrl();
  return (
    <SecretDialog
      title={`New key “${name}” for ${owner}`}
      warning="The gateway stores only a hash of it."
      secret={key}
      advice="Copy it now, and give it to the consumer."
      command={`curl -H ${quoted(`X-API-Key: ${key}`)} ${url}${USAGE_PATH}`}
      commandTitle="Check it: its limits and usage, at no cost"
      commandLabel="Copy the curl line"
      commandNote={note}
      onClose={onClose}
    />
  );
}

/** Where consumers call the API: as the portal says, or where this gateway listens. */
function useApiUrl() {
  const settings = useQuery(configurationQuery).data?.settings;
  const configured = settings?.find(({ name }) => name === 'portal.apiUrl')?.value;
  const listens = useQuery(systemQuery).data?.listeners.public;
  if (typeof configured === 'string') return { url: quoted(withoutSlash(configured)) };
  return {
    url: listens === undefined ? '"$GATEWAY_URL"' : quoted(withoutSlash(listens)),
    note:
      settings !== undefined &&
      'This is where the gateway listens. Set portal.apiUrl to the address that consumers call.',
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
