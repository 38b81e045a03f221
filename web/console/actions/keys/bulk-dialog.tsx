import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { formatLongDuration } from '../../../shared/format/time.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import {
  type BulkAction,
  createBulkChange,
  type BulkFilter,
  type BulkPreview,
  bulkPreviewQuery,
  type BulkProgress,
  type BulkRequest,
  changeKeys,
  undoBulkChange,
} from '../../api/bulk-keys.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { BanLengthField } from './ban-length-field.tsx';
import { KeyCount, formatUsedToday } from './key-count.tsx';
import { trimMessage, MessageField, REASON_HINT } from './message-field.tsx';
import { STRIKES } from './strikes.ts';

interface Words {
  readonly verb: string;
  readonly danger?: boolean;
  readonly effect: ReactNode;
  /** Completes "2 of 5 selected are …" for the keys that the action does not change. */
  readonly others: string;
  readonly done: string;
  readonly command: readonly string[];
  readonly undo?: 'enable' | 'disable' | 'lift';
  readonly undone?: string;
}

const REVOKED = 'revoked';
const SHARED = 'A ban applies to a quota, which all keys of an account or rotation chain share';

const WORDS: Readonly<Record<BulkAction, Words>> = {
  disable: {
    verb: 'Disable',
    danger: true,
    effect: (
      <>
        Within a second, calls with these keys get <code>401 key_revoked</code> until the keys are enabled again.
      </>
    ),
    others: 'not active',
    done: 'Disabled',
    command: ['keys', 'disable'],
    undo: 'enable',
    undone: 'Enabled again',
  },
  enable: {
    verb: 'Enable',
    effect: <>Within a second, calls with these keys are served again.</>,
    others: 'not disabled',
    done: 'Enabled',
    command: ['keys', 'enable'],
    undo: 'disable',
    undone: 'Disabled again',
  },
  revoke: {
    verb: 'Revoke',
    danger: true,
    effect: (
      <>
        Within a second, calls with these keys get <code>401 key_revoked</code>. <strong>This cannot be undone:</strong>{' '}
        the consumers will need new keys. To block keys only temporarily, disable them instead.
      </>
    ),
    others: REVOKED,
    done: 'Revoked',
    command: ['keys', 'revoke'],
  },
  ban: {
    verb: 'Ban',
    danger: true,
    effect: (
      <>
        From the next request, calls with these keys get <code>403 key_banned</code> on every gateway. {SHARED}. This
        replaces any active ban.
      </>
    ),
    others: REVOKED,
    done: 'Banned',
    command: ['bans', 'add'],
    undo: 'lift',
    undone: 'Bans lifted',
  },
  lift: {
    verb: 'Lift the bans on',
    effect: (
      <>
        From the next request, the limits of the plan apply again to calls with these keys. {STRIKES} are cleared.{' '}
        {SHARED}.
      </>
    ),
    others: REVOKED,
    done: 'Bans lifted',
    command: ['bans', 'lift'],
  },
};

interface Props {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  readonly onClose: () => void;
}

/** Changes many keys at once: shows a preview first, and can continue a change that was interrupted. */
export function BulkDialog({ action: what, filter, onClose }: Props) {
  const queries = useQueryClient();
  const [seconds, setSeconds] = useState(3600);
  const [message, setMessage] = useState('');
  // Once a change has begun, its preview must stay, because a new one would begin another change.
  const [begun, setBegun] = useState<BulkPreview | null>(null);
  const query = bulkPreviewQuery(what, filter);
  const read = useQuery({ ...query, enabled: begun === null });
  const latest = useRef<BulkProgress | null>(null);
  const preview = begun ?? read.data;
  const words = WORDS[what];
  const many = preview === undefined ? 'keys' : pluralize(preview.keys, 'key');
  const request = (reason: string): BulkRequest => ({
    action: what,
    filter,
    ...(what === 'ban' ? { seconds } : {}),
    reason,
    message: trimMessage(message),
  });
  const isOfBans = what === 'ban' || what === 'lift';

  const run = async (reason: string, onProgress: (done: number) => void) => {
    if (preview === undefined) return;
    setBegun(preview);
    let done = 0;
    try {
      latest.current = await changeKeys(request(reason), preview.digest, (now) => onProgress((done = now)));
    } catch (error) {
      if (!isStatus(error, 412)) throw interrupted(error, done, preview.total);
      setBegun(null);
      await queries.invalidateQueries({ queryKey: query.queryKey });
      throw new Error(
        'The matching keys have changed since the preview. Nothing was changed. Check the new number, then try again.',
        {
          cause: error,
        },
      );
    }
  };
  const { undo } = words;
  const action = {
    title: `${words.verb} ${many}`,
    submit:
      begun !== null
        ? 'Continue'
        : what === 'ban'
          ? `Ban for ${formatLongDuration(seconds * 1000)}`
          : `${words.verb} ${many}`,
    danger: words.danger,
    effect: <p>{words.effect}</p>,
    fields: (
      <>
        {preview !== undefined && (
          <Matching
            preview={preview}
            filter={filter}
            others={words.others}
            usedToday={words.danger === true ? preview.usedToday : undefined}
          />
        )}
        {preview === undefined && !read.isError && <Loading rows={1} label="Looking for the keys" />}
        {preview === undefined && read.isError && (
          <Note tone="failed">
            <p role="alert">{read.error.message}</p>
          </Note>
        )}
        {what === 'ban' && begun === null && <BanLengthField seconds={seconds} onChange={setSeconds} />}
      </>
    ),
    reasonHint: isOfBans ? REASON_HINT : undefined,
    fieldsAfterReason: isOfBans && begun === null && <MessageField message={message} onChange={setMessage} />,
    needs: [
      preview === undefined ? 'The keys are still being looked up.' : preview.total === 0 && 'No keys would change.',
    ],
    change: (_: BulkFilter, reason: string) => createBulkChange(request(reason), preview?.digest ?? ''),
    command: (_: BulkFilter, reason: string) => createCommand(words, request(reason)),
    steps: {
      total: preview?.total ?? 0,
      run,
      changed: () => describeChanged(latest.current, many),
      undo: undo && ((reason: string) => undoBulkChange(latest.current?.bulkId ?? '', undo, reason)),
    },
    done: words.done,
    undone: (what: string) => `${words.undone ?? 'Undone'}: ${what}`,
  };
  return <ActionDialog action={action} subjects={[filter]} nameOf={() => many} onClose={onClose} />;
}

/** Explains that the changes made before the error are stored, and that sending the same request continues. */
function interrupted(error: unknown, done: number, total: number): Error {
  const so =
    done > 0 ? `${formatCount(done)} of ${formatCount(total)} are done.` : 'Some of the keys may have been changed.';
  return new Error(`${(error as Error).message} ${so}`, { cause: error });
}

/** Shows the number and the names of the keys that match. */
function Matching({
  preview: { keys, total, replaced, sample, action },
  filter: { ids },
  others,
  usedToday,
}: {
  readonly preview: BulkPreview;
  readonly filter: BulkFilter;
  readonly others: string;
  /** The number of these keys that were used today. Undefined if it is not shown. */
  readonly usedToday: number | undefined;
}) {
  const rest = ids === undefined ? 0 : ids.length - keys;
  const quotas = action === 'ban' || action === 'lift' ? ` with ${pluralize(total, 'quota')}` : '';
  return (
    <Note tone={usedToday !== undefined && usedToday > 0 ? 'refused' : 'neutral'}>
      <p>
        <KeyCount keys={keys} more={quotas} usedToday={usedToday} named={sample} />
        {rest > 0 &&
          ` · ${formatCount(rest)} of ${formatCount(ids?.length ?? 0)} selected ${rest === 1 ? 'is' : 'are'} ${others}`}
      </p>
      {replaced.keys > 0 && (
        <p>
          {`${pluralize(replaced.keys, 'key')} that ${keys === 1 ? 'it' : 'they'} replaced ${replaced.keys === 1 ? 'is' : 'are'} ${WORDS[action].done.toLowerCase()} too, ${formatUsedToday(replaced.keys, replaced.usedToday)}.`}
        </p>
      )}
    </Note>
  );
}

/** With more ids, the command is too long to show. */
const MAX_IDS = 20;

function createCommand({ command }: Words, { filter, seconds, reason, message }: BulkRequest): string | undefined {
  const { ids = [], owner, plan, q: search, kind, token, status, state, unusedFor, expiresWithin } = filter;
  if (ids.length > MAX_IDS) return undefined;
  const timed = { status: state ?? status, 'unused-for': unusedFor, 'expires-within': expiresWithin };
  return formatTollgateCommand([...command, ...ids], {
    owner,
    plan,
    search,
    kind,
    token,
    ...timed,
    seconds,
    reason,
    message,
  });
}

/** Names the keys that were changed. Their number may differ from the preview, because keys may have changed since. */
function describeChanged(progress: BulkProgress | null, many: string): string {
  if (progress === null) return many;
  const { action, changed, total, skipped } = progress;
  const rest = skipped === 0 ? '' : `; ${formatCount(skipped)} no longer matched`;
  if (action === 'lift') return `${formatCount(changed)}${rest}`;
  return changed >= total && rest === '' ? many : `${formatCount(changed)} of ${formatCount(total)}${rest}`;
}
