import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../format/number.ts';
import { Button } from '../controls/button.tsx';
import { saveFile } from '../../behavior/save-file.ts';
import { toast } from './toast.tsx';

interface Props {
  readonly file: string;
  /** Names the export if a screen has several. */
  readonly label?: string;
  /**
   * Reads all matches as CSV, including those that are not loaded. `onProgress` gets the number of records read so far,
   * if it is known.
   */
  readonly read: (onProgress: (read: number) => void) => Promise<string>;
}

/** A button that reads a whole list and saves it as a file. If reading fails, nothing is saved. */
export function SaveCsv({ file, label, read }: Props) {
  const [done, setDone] = useState(0);
  const saving = useMutation({
    mutationFn: async () => saveFile(file, await read(setDone), 'text/csv'),
    onError: (error) => toast({ tone: 'failed', message: `Nothing was saved. ${error.message}` }),
    onSettled: () => setDone(0),
  });
  return (
    <Button icon={Download} aria-label={label} disabled={saving.isPending} onClick={() => saving.mutate()}>
      {saving.isPending ? (done === 0 ? 'Reading…' : `${formatCount(done)} read…`) : 'Export CSV'}
    </Button>
  );
}
