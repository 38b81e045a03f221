import { ShieldOff } from 'lucide-react';
import { Badge } from '../../../shared/ui/data/badge.tsx';

/** A badge for a key whose requests are counted, but never refused, if they do not fit the document. */
export function ExemptBadge() {
  return (
    <Badge tone="neutral" icon={ShieldOff}>
      Exempt
    </Badge>
  );
}
