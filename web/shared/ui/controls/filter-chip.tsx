import { X } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import { Button } from './button.tsx';

/** Shows a filter that was set by a link and has no control above the table. A click removes the filter. */
export function FilterChip(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <Button icon={X} data-set {...props} />;
}
