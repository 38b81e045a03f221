import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { saveFile } from '../../../shared/behaviour/save-file.ts';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { readAuditCsv } from '../../api/audit-csv.ts';
import type { AuditFilters } from '../../api/lists.ts';

/** Saves every change that matches, not only those that were scrolled to. */
export function SaveAudit({ filters }: { readonly filters: AuditFilters }) {
  const [read, setRead] = useState(0);
  const saving = useMutation({
    mutationFn: async () => saveFile('audit.csv', await readAuditCsv(filters, setRead), 'text/csv'),
    onError: (error) => toast({ tone: 'failed', message: `Nothing was saved. ${error.message}` }),
    onSettled: () => setRead(0),
  });
  return (
    <Button icon={Download} disabled={saving.isPending} onClick={() => saving.mutate()}>
      {read > 0 ? `${count(read)} read…` : 'Export CSV'}
    </Button>
  );
}
