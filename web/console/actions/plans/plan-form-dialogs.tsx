import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import { createLimitTexts, readConcurrent, readLimits } from '../../api/limits.ts';
import { withoutId } from '../../api/plan-content.ts';
import { createPlan, deletePlan, type Plan, plansWithKeysQuery, type PutPlan, putPlan } from '../../api/plans.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { ConcurrentField } from '../dialog/concurrent-field.tsx';
import { LimitFields } from '../dialog/limit-fields.tsx';
import { NEEDS_CONCURRENT, NEEDS_LIMITS, NEEDS_OPERATIONS, NOTHING_CHANGED } from '../dialog/needs.ts';
import { OperationPicker } from '../dialog/operation-picker.tsx';
import { PlanPreview } from './plan-preview.tsx';

const MODES = [
  { value: 'enforce', label: 'Enforce: refuse requests above the limits' },
  { value: 'shadow', label: 'Shadow: count and report, refuse nothing' },
];
const FAILURES = [
  { value: 'local', label: 'Each gateway counts on its own' },
  { value: 'open', label: 'Allow all calls' },
  { value: 'closed', label: 'Refuse all calls' },
];

/** Edits a plan. First shows which of its keys would have been refused. */
export function EditPlanDialog({
  plan,
  etag,
  onClose,
}: {
  readonly plan: Plan;
  readonly etag?: string;
  readonly onClose: () => void;
}) {
  const form = usePlanForm(plan);
  const { content } = form;
  const changed = JSON.stringify(content) !== JSON.stringify(withoutId(plan));
  const active = useQuery(plansWithKeysQuery).data?.find(({ id }) => id === plan.id)?.activeKeys;
  const keys =
    active === undefined ? 'all keys' : active === 1 ? 'the one active key' : `the ${formatCount(active)} active keys`;
  const action = {
    title: `Edit the plan ${plan.name}`,
    submit: 'Save the plan',
    wide: true,
    effect: <p>Applies to {keys} on this plan, from the next request. Earlier usage still counts.</p>,
    fields: (
      <>
        {form.nameField}
        {form.otherFields}
      </>
    ),
    needs: [...form.needs, !changed && NOTHING_CHANGED],
    change: ({ id }: Plan, reason: string) => putPlan(id, content, reason, etag),
    done: 'Plan saved',
    undo: (before: Plan, reason: string) => putPlan(before.id, withoutId(before), reason),
  };
  return <ActionDialog action={action} subjects={[plan]} nameOf={({ name }) => name} onClose={onClose} />;
}

export function CreatePlanDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosenId, setId] = useState<string | null>(null);
  const form = usePlanForm();
  // The id is derived from the name until the user types an id.
  const id = chosenId ?? createPlanId(form.content.name);
  const plan = { id, ...form.content };
  const action = {
    title: 'Create a plan',
    submit: 'Create the plan',
    wide: true,
    effect: <p>You can then create keys on this plan, or move keys to it.</p>,
    fields: (
      <>
        {form.nameField}
        <TextField
          label="Id"
          hint="Lowercase. It cannot be changed later."
          required
          pattern="[a-z][a-z0-9_\-]*"
          maxLength={64}
          value={id}
          onChange={setId}
        />
        {form.otherFields}
      </>
    ),
    needs: [...form.needs, !/^[a-z][a-z0-9_-]*$/.test(id) && 'Enter an id in lowercase.'],
    change: (subject: typeof plan, reason: string) => createPlan(subject, reason),
    done: 'Plan created',
    undo: (subject: typeof plan, reason: string) => deletePlan(subject.id, reason),
  };
  return <ActionDialog action={action} subjects={[plan]} nameOf={({ name }) => name} onClose={onClose} />;
}

interface DeleteProps {
  readonly plan: Plan;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function DeletePlanDialog({ plan, onClose, onDeleted }: DeleteProps) {
  const action = {
    title: `Delete the plan ${plan.name}`,
    submit: 'Delete the plan',
    danger: true,
    effect: <p>You can delete it only if no account and no unrevoked key uses it. Move those to another plan first.</p>,
    change: ({ id }: Plan, reason: string) => deletePlan(id, reason),
    done: 'Plan deleted',
    onDone: onDeleted,
    undo: (before: Plan, reason: string) => createPlan({ id: before.id, ...withoutId(before) }, reason),
  };
  return <ActionDialog action={action} subjects={[plan]} nameOf={({ name }) => name} onClose={onClose} />;
}

function usePlanForm(plan?: Plan) {
  const [name, setName] = useState(plan?.name ?? '');
  const [description, setDescription] = useState(plan?.description ?? '');
  const [priceText, setPriceText] = useState(plan?.priceText ?? '');
  const [custom, setCustom] = useState(plan?.custom ?? false);
  const [typed, setTyped] = useState(createLimitTexts(plan?.limits));
  const [typedConcurrent, setConcurrent] = useState(String(plan?.concurrent ?? ''));
  const [mode, setMode] = useState(plan?.mode ?? 'enforce');
  const [operations, setOperations] = useState<readonly string[] | null>(plan?.operations ?? null);
  const [onStoreFailure, setOnStoreFailure] = useState(plan?.onStoreFailure ?? 'local');
  const limits = custom ? null : readLimits(typed);
  const concurrent = readConcurrent(typedConcurrent);
  const otherLimits = limits !== null && JSON.stringify(limits) !== JSON.stringify(plan?.limits);
  // In shadow mode, limits refuse nothing, so leaving that mode affects keys as much as lowering the limits.
  const leavesShadow = plan?.mode === 'shadow' && mode === 'enforce';
  // PUT replaces the whole plan: fields that the form does not show keep their values.
  const kept = plan === undefined ? {} : withoutId(plan);
  const content: PutPlan = {
    ...kept,
    name: name.trim(),
    description,
    priceText: priceText.trim(),
    limits,
    concurrent: concurrent ?? null,
    custom,
    operations: operations === null ? null : [...operations],
    mode,
    onStoreFailure,
  };
  const nameField = <TextField label="Name" required maxLength={128} value={name} onChange={setName} />;
  const otherFields = (
    <>
      <TextField
        label="Description"
        optional
        maxLength={1000}
        spellCheck
        value={description}
        onChange={setDescription}
      />
      <TextField
        label="Price"
        optional
        hint="Shown with the plan in the portal, such as “$49 a month”. Nothing is charged."
        maxLength={100}
        value={priceText}
        onChange={setPriceText}
      />
      <SelectField
        label="Limits"
        value={custom ? 'custom' : 'plan'}
        options={[
          { value: 'plan', label: 'The same for every key' },
          { value: 'custom', label: 'Set on each key' },
        ]}
        onChange={(value) => setCustom(value === 'custom')}
      />
      {!custom && <LimitFields limits={typed} before={plan?.limits ?? null} onChange={setTyped} />}
      {plan !== undefined && limits !== null && (otherLimits || leavesShadow) && (
        <PlanPreview plan={plan} limits={limits} />
      )}
      <ConcurrentField
        hint="Requests in progress with one key, on each gateway. Leave empty for any number."
        value={typedConcurrent}
        onChange={setConcurrent}
      />
      <OperationPicker value={operations} onChange={setOperations} />
      <SelectField label="Mode" value={mode} options={MODES} onChange={(value) => setMode(value as Plan['mode'])} />
      <SelectField
        label="While the counters are unreachable"
        value={onStoreFailure}
        options={FAILURES}
        onChange={(value) => setOnStoreFailure(value as Plan['onStoreFailure'])}
      />
    </>
  );
  const needs = [
    content.name === '' && 'Enter a name.',
    !custom && limits === null && NEEDS_LIMITS,
    concurrent === undefined && NEEDS_CONCURRENT,
    operations?.length === 0 && NEEDS_OPERATIONS,
  ];
  return { nameField, otherFields, content, needs };
}

/** Turns "Pro plus" into "pro-plus". */
function createPlanId(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-$/g, '');
}
