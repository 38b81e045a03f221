import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { SelectField, TextArea, TextField } from '../../../shared/ui/controls/field.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { publicPlansQuery } from '../../api/front.ts';
import { MAX_NAME_LENGTH, requestAccount } from '../../api/session.ts';
import parts from '../../parts/parts.module.css';
import styles from './access-screen.module.css';

const MAX_EMAIL_LENGTH = 254;
const MAX_PURPOSE_LENGTH = 2000;

/**
 * A form that asks the team for an account.
 *
 * @param wanted the id of the plan that the visitor selected on another page
 */
export function RequestForm({ wanted }: { readonly wanted: string | undefined }) {
  const plans = useQuery(publicPlansQuery).data ?? [];
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [purpose, setPurpose] = useState('');
  const [chosen, setChosen] = useState(wanted ?? '');
  const plan = plans.some(({ id }) => id === chosen) ? chosen : plans[0]?.id;
  const sending = useMutation({
    mutationFn: () => requestAccount({ name: name.trim(), email: email.trim(), purpose: purpose.trim(), plan }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  if (sending.isSuccess) {
    return (
      <section className={`${parts.card} ${styles.narrow}`} role="status">
        <h2>Your request was sent</h2>
        <p>
          If the team approves it, you will receive a sign-in link at <bdi>{email.trim()}</bdi>. The link opens your
          account, in which you create keys.
        </p>
        <div className={parts.actions}>
          <Link to="/reference" className={buttonClass('plain')}>
            Read the reference
          </Link>
        </div>
      </section>
    );
  }
  return (
    <form className={`${parts.card} ${styles.narrow} ${styles.form}`} onSubmit={submit} aria-label="Request an account">
      <h2>Request an account</h2>
      <p className={parts.muted}>
        The team behind this API reads each request. If it approves yours, it sends you a sign-in link.
      </p>
      <TextField
        label="Name"
        hint="Yours, or that of your company or project."
        required
        maxLength={MAX_NAME_LENGTH}
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      <TextField
        label="Email"
        type="email"
        required
        maxLength={MAX_EMAIL_LENGTH}
        autoComplete="email"
        value={email}
        onChange={setEmail}
      />
      <TextArea
        label="What do you want to build?"
        rows={4}
        required
        maxLength={MAX_PURPOSE_LENGTH}
        value={purpose}
        onChange={setPurpose}
      />
      {plans.length > 1 && (
        <SelectField
          label="Plan"
          value={plan ?? ''}
          options={plans.map((each) => ({ value: each.id, label: each.name }))}
          onChange={setChosen}
        />
      )}
      {sending.error !== null && (
        <Note tone="failed">
          <span role="alert">{sending.error.message}</span>
        </Note>
      )}
      <div>
        <Button kind="primary" type="submit" icon={Send} disabled={sending.isPending}>
          {sending.isPending ? 'Sending…' : 'Send the request'}
        </Button>
      </div>
    </form>
  );
}
