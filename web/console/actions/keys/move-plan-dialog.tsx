import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { SelectField } from '../../../shared/ui/controls/field.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { updateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { MAX_PREVIEWED_KEYS, plansQuery } from '../../api/plans.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { LimitFields } from '../dialog/limit-fields.tsx';
import { NEEDS_LIMITS } from '../dialog/needs.ts';
import { describeKey } from './describe-key.ts';
import { isUsedToday, KeyCount } from './key-count.tsx';
import { PlanPreview } from '../plans/plan-preview.tsx';
import { createLimitTexts, formatPlan, readLimits } from '../../api/limits.ts';

interface Props {
  readonly keys: readonly Key[];
  readonly onClose: () => void;
}

/** Moves keys to another plan. For a custom plan, asks for the agreed limits. */
export function MovePlanDialog({ keys, onClose }: Props) {
  const plans = useQuery(plansQuery).data ?? [];
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState(createLimitTexts(null));
  const plan = plans.find(({ id }) => id === chosen);
  const limits = readLimits(typed);
  const custom = plan?.custom === true;
  const newLimits = custom ? limits : (plan?.limits ?? null);
  const one = keys.length === 1 ? keys[0] : undefined;
  const nameOf = (id: string) => plans.find((each) => each.id === id)?.name ?? id;
  const ids = useMemo(() => keys.map(({ id }) => id), [keys]);
  const action = {
    title: `Move ${one === undefined ? pluralize(keys.length, 'key') : describeKey(one)} to another plan`,
    submit: plan === undefined ? 'Move' : `Move to ${plan.name}`,
    effect: <p>The new limits apply from the next request. Requests already counted stay counted.</p>,
    fields: (
      <>
        {one === undefined ? (
          <Note>
            <KeyCount keys={keys.length} usedToday={keys.filter(isUsedToday).length} named={keys} />
          </Note>
        ) : (
          <p>
            Its plan is now <strong>{nameOf(one.plan)}</strong>.
          </p>
        )}
        <SelectField
          label="Plan"
          value={chosen}
          options={[
            { value: '', label: 'Choose a plan' },
            ...plans.map((each) => ({ value: each.id, label: formatPlan(each) })),
          ]}
          onChange={setChosen}
        />
        {custom && <LimitFields limits={typed} planName={plan.name} onChange={setTyped} />}
        {plan?.mode === 'shadow' && <Note>This plan is in shadow mode: it refuses nothing.</Note>}
        {plan?.mode === 'enforce' && newLimits !== null && keys.length <= MAX_PREVIEWED_KEYS && (
          <PlanPreview plan={plan} limits={newLimits} moved={ids} />
        )}
        {keys.some(({ rotatedTo }) => rotatedTo !== null) && (
          <Note tone="refused">Rotated keys follow the newest key of their chain. Move that one instead.</Note>
        )}
      </>
    ),
    needs: [plan === undefined && 'Choose a plan.', custom && limits === null && NEEDS_LIMITS],
    change: ({ id }: Key, reason: string) => updateKey(id, { plan: chosen, ...(custom ? { limits } : {}) }, reason),
    done: `Moved to ${nameOf(chosen)}`,
    undo: (key: Key, reason: string) =>
      updateKey(key.id, { plan: key.plan, ...(key.limits === null ? {} : { limits: key.limits }) }, reason),
  };
  return <ActionDialog action={action} subjects={keys} nameOf={({ name }) => name} onClose={onClose} />;
}
