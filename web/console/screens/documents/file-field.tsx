import { FileUp, X } from 'lucide-react';
import { formatBytes } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Field } from '../../../shared/ui/controls/field.tsx';
import styles from './documents.module.css';

interface Props {
  readonly label: string;
  /** The text in the field until a file is chosen. */
  readonly words: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly isMultiple?: boolean;
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** A field for local files. Shows their names and sizes. */
export function FileField(props: Props) {
  const { label, words, hint, error, isOptional = false, isMultiple = false, files, onFiles } = props;
  return (
    <Field label={label} hint={hint} optional={isOptional} {...(error === undefined ? {} : { error })}>
      {(ids) => (
        <div className={styles.files}>
          <label className={styles.zone} data-chosen={files.length > 0}>
            <FileUp size={16} aria-hidden />
            <input
              {...ids}
              type="file"
              multiple={isMultiple}
              className={styles.input}
              onChange={({ currentTarget }) => {
                const chosen = [...(currentTarget.files ?? [])];
                // Lets the user choose the same file again after changing it.
                currentTarget.value = '';
                if (chosen.length > 0) onFiles(chosen);
              }}
            />
            <span className={styles.names}>
              {files.length === 0
                ? words
                : files.map((file, index) => (
                    <span key={index}>
                      <bdi>{file.name}</bdi> <span className={styles.size}>{formatBytes(file.size)}</span>
                    </span>
                  ))}
            </span>
          </label>
          {isOptional && files.length > 0 && (
            <Button kind="quiet" icon={X} aria-label={`Remove: ${label}`} onClick={() => onFiles([])} />
          )}
        </div>
      )}
    </Field>
  );
}
