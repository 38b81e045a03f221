import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { toCsv } from '../../../shared/format/csv.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { saveFile } from '../../../shared/behaviour/save-file.ts';
import { type AuditEntry, type AuditFilters, auditQuery } from '../../api/lists.ts';

const HEAD = ['sequence', 'at', 'actor', 'action', 'subject', 'reason', 'before', 'after'];

/** Saves what the table shows. */
export function SaveAudit({ filters }: { readonly filters: AuditFilters }) {
  const entries = useInfiniteQuery(auditQuery(filters)).data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Button
      icon={Download}
      disabled={entries.length === 0}
      onClick={() => saveFile('audit.csv', toCsv(HEAD, entries.map(cells)), 'text/csv')}
    >
      Export CSV
    </Button>
  );
}

function cells({ sequence, at, actor, action, subject, reason, before, after }: AuditEntry) {
  return [sequence, at, actor, action, subject, reason, json(before), json(after)];
}

function json(fields: object | null): string | null {
  return fields === null ? null : JSON.stringify(fields);
}
