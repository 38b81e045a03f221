import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { formatExactTime } from '../../../shared/format/time.ts';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { useNow } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { type KeyPatch, updateKey } from '../../api/key-changes.ts';
import { type Usage, usageQuery, type VersionedKey } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import { type Limits, formatLimits, createLimitTexts, readLimits } from '../../api/limits.ts';
import { plansQuery } from '../../api/plans.ts';
import { pickEarlierValues } from '../../api/restored.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { formatLocalTime, parseLocalTime } from '../../../shared/format/local-time.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { ChangeList } from '../dialog/change-list.tsx';
import { ExpiryField } from '../dialog/expiry-field.tsx';
import { LimitFields } from '../dialog/limit-fields.tsx';
import { MetadataFields, readMetadata, createRows } from '../dialog/metadata-fields.tsx';
import { NEEDS_LIMITS, NOTHING_CHANGED } from '../dialog/needs.ts';

interface Props {
  readonly apiKey: VersionedKey;
  readonly onClose: () => void;
}

/** Edits what operators set on a key: its name, expiry and metadata, and its limits if its plan has none. */
export function EditKeyDialog({ apiKey, onClose }: Props) {
  const form = useKeyForm(apiKey);
  const { patch } = form;
  const now = useNow();
  const usage = useQuery(usageQuery(apiKey.id)).data;
  const ends = typeof patch.expiresAt === 'string' && Date.parse(patch.expiresAt) <= now;
  const action = {
    title: `Edit “${apiKey.name}” of ${findOwnerName(apiKey)}`,
    submit: ends ? 'Save and expire the key' : 'Save the key',
    danger: ends,
    effect: (
      <>
        <p>Applies within a second. The secret, the counters and the bans stay as they are.</p>
        <ChangeList changes={listChanges(apiKey, patch)} />
      </>
    ),
    fields: (
      <>
        {ends && (
          <Note tone="refused">
            This time has passed: calls with this key get <code>401 key_expired</code> immediately.
          </Note>
        )}
        {patch.limits != null && <UsedUp limits={patch.limits} usage={usage} />}
        {form.fields}
      </>
    ),
    needs: form.needs,
    change: ({ id, etag }: VersionedKey, reason: string) => updateKey(id, patch, reason, etag),
    command: ({ id }: VersionedKey, reason: string) => createCommand(id, patch, reason),
    done: 'Key saved',
    undo: (before: VersionedKey, reason: string) =>
      updateKey(before.id, pickEarlierValues<KeyPatch>(before, patch), reason),
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={({ name }) => name} onClose={onClose} />;
}

function useKeyForm(apiKey: VersionedKey) {
  const shownExpiry = apiKey.expiresAt === null ? '' : formatLocalTime(apiKey.expiresAt);
  const [name, setName] = useState(apiKey.name);
  const [expires, setExpires] = useState(shownExpiry);
  const [typed, setTyped] = useState(createLimitTexts(apiKey.limits));
  const [rows, setRows] = useState(createRows(apiKey.metadata));
  const plan = useQuery(plansQuery).data?.find(({ id }) => id === apiKey.plan);
  // The limits belong to the newest key of a rotation chain.
  const hasLimits = apiKey.limits !== null && apiKey.rotatedTo === null;
  const limits = hasLimits ? readLimits(typed) : null;
  const { metadata, error } = readMetadata(rows);
  const patch: KeyPatch = {
    ...(name.trim() === apiKey.name ? {} : { name: name.trim() }),
    ...(expires === shownExpiry ? {} : { expiresAt: parseLocalTime(expires) ?? null }),
    ...(limits === null || isSame(limits, apiKey.limits) ? {} : { limits }),
    ...(metadata === null || isSame(metadata, apiKey.metadata) ? {} : { metadata }),
  };
  const fields = (
    <>
      <TextField label="Name" required maxLength={128} value={name} onChange={setName} />
      <ExpiryField
        value={expires}
        hint={apiKey.grace === null ? undefined : 'It expires earlier if it is no longer used.'}
        onChange={setExpires}
      />
      {hasLimits && <LimitFields limits={typed} planName={plan?.name ?? apiKey.plan} onChange={setTyped} />}
      <MetadataFields rows={rows} error={error} onChange={setRows} />
    </>
  );
  const needs = [
    name.trim() === '' && 'Enter a name.',
    hasLimits && limits === null && NEEDS_LIMITS,
    error !== null && 'Correct the metadata.',
    Object.keys(patch).length === 0 && NOTHING_CHANGED,
  ];
  return { fields, patch, needs };
}

/** Warns if the key has already used as much as the new limits allow, so that its next calls would be refused. */
function UsedUp({ limits, usage }: { readonly limits: Limits; readonly usage: Usage | undefined }) {
  const full = usage?.windows.findLast(({ name, used }) => used >= (limits[name] ?? Infinity));
  if (full === undefined) return null;
  return (
    <Note tone="refused">
      {`${pluralize(full.used, 'unit was', 'units were')} already used this ${full.name}: calls get 429 until ${formatExactTime(Date.parse(full.resetsAt))}.`}
    </Note>
  );
}

function listChanges(before: VersionedKey, { name, expiresAt, limits, metadata }: KeyPatch) {
  const time = (at: string | null) => (at === null ? 'never' : formatExactTime(Date.parse(at)));
  return [
    ...(name === undefined ? [] : [{ what: 'Name', from: before.name, to: name }]),
    ...(expiresAt === undefined ? [] : [{ what: 'Expires', from: time(before.expiresAt), to: time(expiresAt) }]),
    ...(limits == null || before.limits === null
      ? []
      : [{ what: 'Limits', from: formatLimits(before.limits), to: formatLimits(limits) }]),
    ...metadataChanges(before.metadata, metadata ?? before.metadata),
  ];
}

type Metadata = Readonly<Record<string, string>>;

function metadataChanges(before: Metadata, after: Metadata) {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((name) => ({ what: name, from: old.get(name) ?? 'none', to: next.get(name) ?? 'none' }))
    .filter(({ from, to }) => from !== to);
}

/** Undefined if the metadata changes, because the command cannot change it. */
function createCommand(
  id: string,
  { name, expiresAt, limits, metadata }: KeyPatch,
  reason: string,
): string | undefined {
  if (metadata !== undefined) return undefined;
  const { minute, day, month } = limits ?? {};
  return formatTollgateCommand(['keys', 'update', id], {
    name,
    'expires-at': expiresAt === null ? 'never' : expiresAt,
    minute,
    day,
    month: limits == null ? undefined : (month ?? 'none'),
    reason,
  });
}

function isSame(one: object, other: object | null): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(other === null ? null : sorted(other));
}

function sorted(record: object) {
  return Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
