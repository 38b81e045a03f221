import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TextArea } from '../../../shared/ui/controls/field.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { type Plan, requestPlan } from '../../api/plans.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

const MAX_MESSAGE_LENGTH = 2000;

interface Props {
  readonly plan: Plan;
  /** The names of keys to which the plan would not apply. Null if there are none. */
  readonly otherKeys: string | null;
  readonly onClose: () => void;
}

/** A dialog that asks the team for another plan. */
export function RequestPlanDialog({ plan, otherKeys, onClose }: Props) {
  const queries = useQueryClient();
  const [message, setMessage] = useState('');
  const done = () => {
    onClose();
    toast({ message: `Requested ${plan.name}` });
    void queries.invalidateQueries({ queryKey: ['plan-requests'] });
  };
  return (
    <FormDialog
      title={`Request ${plan.name}`}
      submit="Send the request"
      action={() => requestPlan(plan.id, message.trim())}
      onDone={done}
      onClose={onClose}
    >
      <p>The team behind this API will review your request. Until then, your plan stays the same.</p>
      {otherKeys !== null && (
        <p>
          The plan applies to all keys that you create here, not to <bdi>{otherKeys}</bdi>: if these need higher limits,
          say so in the message.
        </p>
      )}
      <TextArea
        label="Message"
        optional
        hint="What you are building, and how many requests you expect."
        rows={4}
        maxLength={MAX_MESSAGE_LENGTH}
        value={message}
        onChange={setMessage}
      />
    </FormDialog>
  );
}
