import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortenId } from '../../format/id.ts';
import { Button, IconButton } from './button.tsx';
import styles from './copy.module.css';

const CONFIRMED_MS = 1600;

/** Copies a text. Returns true for a moment after copying, and the function that copies. */
export function useCopy(text: string, onCopied?: () => void): readonly [boolean, () => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        onCopied?.();
      },
      () => setCopied(false),
    );
  };
  return [copied, copy];
}

interface CopyProps {
  readonly text: string;
  readonly label: string;
  readonly onCopied?: () => void;
}

export function CopyIcon({ text, label, onCopied }: CopyProps) {
  const [copied, copy] = useCopy(text, onCopied);
  return <IconButton icon={copied ? Check : Copy} label={copied ? 'Copied' : label} onClick={copy} />;
}

interface CopyButtonProps extends Omit<CopyProps, 'label'> {
  /** Makes this button the first control of its dialog, which gives it the focus on opening. */
  readonly isFirst?: boolean;
}

export function CopyButton({ text, onCopied, isFirst = false }: CopyButtonProps) {
  const [copied, copy] = useCopy(text, onCopied);
  return (
    <Button icon={copied ? Check : Copy} onClick={copy} data-first={isFirst || undefined}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
}

/** Shows a shortened id. Hovering shows the whole id, and a click copies it. */
export function Id({ id, whole = false }: { readonly id: string; readonly whole?: boolean }) {
  const [copied, copy] = useCopy(id);
  return (
    <button type="button" className={styles.id} title={`Copy ${id}`} onClick={copy}>
      <code>{whole ? id : shortenId(id)}</code>
      {copied ? <Check size={12} aria-hidden /> : <Copy size={12} aria-hidden className={styles.hint} />}
    </button>
  );
}

/** Shows text to copy, such as a command. Long lines wrap instead of scrolling. */
export function Code({ text, label, onCopied }: CopyProps) {
  return (
    <div className={styles.code}>
      <pre>{text}</pre>
      <CopyIcon text={text} label={label} onCopied={onCopied} />
    </div>
  );
}
