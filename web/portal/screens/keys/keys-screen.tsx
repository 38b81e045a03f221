import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type Key, keysQuery, type KeyWithSecret } from '../../api/keys.ts';
import { usageQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { RevokedNotes } from '../../parts/revoked-notes.tsx';
import { useSession } from '../../session/session-context.ts';
import {
  AddressesDialog,
  CreateKeyDialog,
  NewKeyDialog,
  RenameDialog,
  RevokeDialog,
  RotateDialog,
} from './lazy-dialogs.ts';
import { KeyTable } from './key-table.tsx';

interface Asked {
  readonly what: 'rename' | 'addresses' | 'rotate' | 'revoke';
  readonly subject: Key;
}

/** Lists the user's keys, and says whether they work. Revoked keys are shown on demand. */
export function KeysScreen() {
  const keys = useQuery(keysQuery);
  const { canChange } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { opened, open, close } = useDialogInUrl();
  const isCreating = canChange && opened === 'create';
  const all = keys.data?.items ?? [];
  const [withRevoked, setWithRevoked] = useState(false);
  const revoked = all.filter(({ status }) => status === 'revoked').length;
  const items = withRevoked ? all : all.filter(({ status }) => status !== 'revoked');
  const quotas = useQuery(usageQuery).data ?? [];
  const banned = new Set(quotas.filter(({ ban }) => ban !== null).flatMap((quota) => quota.keys));
  return (
    <Page
      title="Keys"
      summary={<KeysNote maxKeys={keys.data?.maxKeys} hasCallers={all.some(({ kind }) => kind === 'token')} />}
      actions={
        canChange && (
          <Button kind="primary" icon={Plus} onClick={() => open('create')}>
            Create a key
          </Button>
        )
      }
    >
      <RevokedNotes keys={all} />
      {keys.isPending && <Loading label="Loading the keys" />}
      {keys.isError && keys.data === undefined && <ReadFailure query={keys} what="your keys" />}
      {keys.data !== undefined && items.length === 0 && <NoKeys />}
      {items.length > 0 && (
        <KeyTable
          keys={items}
          banned={banned}
          onAsk={canChange ? (what, subject) => setAsked({ what, subject }) : undefined}
        />
      )}
      {revoked > 0 && (
        <div>
          <Button onClick={() => setWithRevoked(!withRevoked)}>
            {withRevoked ? 'Hide' : 'Show'} {pluralize(revoked, 'revoked key')}
          </Button>
        </div>
      )}
      <Asking
        asked={asked}
        isCreating={isCreating}
        keys={all}
        onClose={() => (isCreating ? close() : setAsked(null))}
      />
    </Page>
  );
}

interface KeysNoteProps {
  readonly maxKeys: number | undefined;
  /** True if the list also contains callers, who send access tokens instead of keys. */
  readonly hasCallers: boolean;
}

function KeysNote({ maxKeys, hasCallers }: KeysNoteProps) {
  const { canChange } = useSession();
  if (!canChange) return <p>You are signed in with this key. Sign in to your account to create and change keys.</p>;
  return (
    <p>
      Use one key per application, so that you can rotate them separately.{' '}
      {maxKeys !== undefined && `You can create up to ${pluralize(maxKeys, 'key')} here, which share one quota.`}
      {hasCallers && ' Applications that use access tokens are listed too, but are not part of that number.'}
    </p>
  );
}

function NoKeys() {
  return (
    <Empty icon={KeyRound} title="No keys yet">
      A key identifies your application to the API. Create one, then <Link to="/reference">try a request</Link>.
    </Empty>
  );
}

interface AskingProps {
  /** The key to change and the kind of change. Null if no such dialog is open. */
  readonly asked: Asked | null;
  /** True if the dialog for a new key is open. */
  readonly isCreating: boolean;
  readonly keys: readonly Key[];
  readonly onClose: () => void;
}

function Asking({ asked, isCreating, keys, onClose }: AskingProps) {
  const queries = useQueryClient();
  const [made, setMade] = useState<KeyWithSecret | null>(null);
  const [replaced, setReplaced] = useState<string | null>(null);
  const done = () => {
    onClose();
    void queries.invalidateQueries({ queryKey: ['keys'] });
  };
  const show = (key: KeyWithSecret) => {
    done();
    setMade(key);
    setReplaced(asked === null ? null : asked.subject.id);
  };
  return (
    <>
      {isCreating && <CreateKeyDialog onClose={onClose} onDone={show} />}
      {asked?.what === 'rename' && <RenameDialog subject={asked.subject} onClose={onClose} onDone={done} />}
      {asked?.what === 'addresses' && <AddressesDialog subject={asked.subject} onClose={onClose} onDone={done} />}
      {asked?.what === 'rotate' && <RotateDialog subject={asked.subject} onClose={onClose} onDone={show} />}
      {asked?.what === 'revoke' && <RevokeDialog subject={asked.subject} keys={keys} onClose={onClose} onDone={done} />}
      {made !== null && (
        <NewKeyDialog made={made} replaced={keys.find(({ id }) => id === replaced)} onClose={() => setMade(null)} />
      )}
    </>
  );
}
