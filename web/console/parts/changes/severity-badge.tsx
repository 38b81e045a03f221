import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { DocumentChange } from '../../api/document-comparison.ts';

const BADGES = {
  breaking: { tone: 'failed', icon: CircleX, label: 'Breaking' },
  warning: { tone: 'refused', icon: TriangleAlert, label: 'Warning' },
  compatible: { tone: 'served', icon: CircleCheck, label: 'Compatible' },
} as const;

export function SeverityBadge({ severity }: Pick<DocumentChange, 'severity'>) {
  const { tone, icon, label } = BADGES[severity];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
