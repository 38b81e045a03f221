import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { useVisitor } from '../../session/session-context.ts';
import { PublicPlans } from './public-plans.tsx';

const OwnPlans = lazyPart(async () => (await import('./own-plans.tsx')).OwnPlans);

export function PlansScreen() {
  return useVisitor() === null ? <PublicPlans /> : <OwnPlans />;
}
