import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../shared/format/number.ts';
import { Button } from '../../shared/ui/controls/button.tsx';
import { saveFile } from '../../shared/behavior/save-file.ts';
import { toast } from '../../shared/ui/overlays/toast.tsx';

interface Props {
  readonly file: string;
  /** Exports all matches as CSV, not only those that were loaded. Shows how many records it has read. */
  readonly read: (onProgress: (read: number) => void) => Promise<string>;
}

/** Reads a whole list and saves it, or nothing. */
export function SaveCsv({ file, read }: Props) {
  const [done, setDone] = useState(0);
  const saving = useMutation({
    mutationFn: async () => saveFile(file, await read(setDone), 'text/csv'),
    onError: (error) => toast({ tone: 'failed', message: `Nothing was saved. ${error.message}` }),
    onSettled: () => setDone(0),
  });
  return (
    <Button icon={Download} disabled={saving.isPending} onClick={() => saving.mutate()}>
      {saving.isPending ? `${count(done)} read…` : 'Export CSV'}
    </Button>
  );
}
