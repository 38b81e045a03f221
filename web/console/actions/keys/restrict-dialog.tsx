import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import { parseList, formatList } from '../../../shared/format/list.ts';
import { AddressesField } from '../../../shared/ui/controls/addresses-field.tsx';
import { updateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import { type Plan, plansQuery } from '../../api/plans.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { readConcurrent } from '../../api/limits.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { ConcurrentField } from '../dialog/concurrent-field.tsx';
import { NEEDS_CONCURRENT, NEEDS_OPERATIONS, NOTHING_CHANGED } from '../dialog/needs.ts';
import { OperationPicker } from '../dialog/operation-picker.tsx';
import type { KeyDialogProps } from './key-dialogs.tsx';

/** Restricts a key to operations, client addresses and a number of requests at once. */
export function RestrictDialog({ apiKey, onClose }: KeyDialogProps) {
  const plan = useQuery(plansQuery).data?.find(({ id }) => id === apiKey.plan);
  const [operations, setOperations] = useState<readonly string[] | null>(apiKey.operations);
  const [addresses, setAddresses] = useState(formatList(apiKey.addresses));
  const [typed, setTyped] = useState(String(apiKey.concurrent ?? ''));
  const concurrent = readConcurrent(typed);
  const wanted = {
    operations: operations === null ? null : [...operations],
    addresses: parseList(addresses),
    concurrent: concurrent ?? null,
  };
  const present = {
    operations: apiKey.operations,
    addresses: apiKey.addresses,
    concurrent: apiKey.concurrent,
  };
  const action = {
    title: `Restrict “${apiKey.name}” of ${findOwnerName(apiKey)}`,
    submit: 'Save the restrictions',
    effect: (
      <p>
        From the next request, calls to other operations get <code>403 operation_not_allowed</code>, calls from other
        addresses get <code>403 address_not_allowed</code>, and too many requests at once get{' '}
        <code>429 too_many_concurrent_requests</code>. Also applies to the keys that it replaced.
      </p>
    ),
    fields: (
      <>
        <OperationPicker value={operations} onChange={setOperations} within={plan?.operations ?? null} />
        <AddressesField value={addresses} onChange={setAddresses} />
        <ConcurrentField hint={concurrentHint(plan)} value={typed} onChange={setTyped} />
      </>
    ),
    needs: [
      operations?.length === 0 && NEEDS_OPERATIONS,
      concurrent === undefined && NEEDS_CONCURRENT,
      JSON.stringify(wanted) === JSON.stringify(present) && NOTHING_CHANGED,
    ],
    change: ({ id }: Key, reason: string) => updateKey(id, wanted, reason),
    command: ({ id }: Key, reason: string) =>
      formatTollgateCommand(['keys', 'update', id], {
        operations: wanted.operations?.join(',') ?? 'all',
        addresses: wanted.addresses?.join(',') ?? 'all',
        concurrent: wanted.concurrent ?? 'none',
        reason,
      }),
    done: 'Restrictions saved',
    undo: ({ id }: Key, reason: string) => updateKey(id, present, reason),
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={({ name }) => name} onClose={onClose} />;
}

function concurrentHint(plan: Plan | undefined): string {
  const limit = plan?.concurrent ?? null;
  const ofPlan = limit === null ? 'The plan has no limit.' : `The plan allows ${formatCount(limit)}.`;
  return `Requests in progress on each gateway, with all keys that share its quota. ${ofPlan}`;
}
