import { ShieldOff } from 'lucide-react';
import { Badge } from '../../../shared/ui/data/badge.tsx';

/** A key whose requests are counted, but never refused for not fitting the document. */
export function ExemptBadge() {
  return (
    <Badge tone="neutral" icon={ShieldOff}>
      Exempt
    </Badge>
  );
}
