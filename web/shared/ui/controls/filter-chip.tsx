import { X } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import { Button } from './button.tsx';

/** A filter that was set by a link, and not chosen above the table. A click removes it. */
export function FilterChip(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <Button icon={X} data-set {...props} />;
}
