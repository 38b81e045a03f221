import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { toCsv } from '../../../shared/format/csv.ts';
import { count } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { saveFile } from '../../../shared/behaviour/save-file.ts';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { type Key, type KeyFilters, readKeys } from '../../api/keys.ts';

export const HEAD = [
  'id',
  'name',
  'owner',
  'plan',
  'status',
  'minute',
  'day',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'quotaId',
];

/** Saves every key that matches, not only those that were scrolled to. */
export function ExportKeys({ filters }: { readonly filters: KeyFilters }) {
  const [read, setRead] = useState(0);
  const saving = useMutation({
    mutationFn: async () => saveFile('keys.csv', toCsv(HEAD, (await readAll(filters, setRead)).map(cells)), 'text/csv'),
    onError: (error) => toast({ tone: 'failed', message: `Nothing was saved. ${error.message}` }),
    onSettled: () => setRead(0),
  });
  return (
    <Button icon={Download} disabled={saving.isPending} onClick={() => saving.mutate()}>
      {saving.isPending ? `${count(read)} read…` : 'Export CSV'}
    </Button>
  );
}

export function cells({ id, name, owner, plan, status, limits, createdAt, expiresAt, lastUsedAt, quotaId }: Key) {
  return [
    id,
    name,
    owner,
    plan,
    status,
    limits?.minute ?? null,
    limits?.day ?? null,
    createdAt,
    expiresAt,
    lastUsedAt,
    quotaId,
  ];
}

async function readAll(filters: KeyFilters, onProgress: (read: number) => void): Promise<Key[]> {
  const keys: Key[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page is asked for with the cursor of the one before
    const page = await readKeys(filters, cursor);
    keys.push(...page.items);
    onProgress(keys.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return keys;
}
