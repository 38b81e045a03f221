import { useState } from 'react';
import { formatExactTime, formatLongDuration } from '../../../shared/format/time.ts';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { SelectField } from '../../../shared/ui/controls/field.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { useUncopied } from '../../../shared/ui/overlays/secret-dialog.tsx';
import { type Account, createLink, type SignInLink } from '../../api/accounts.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

const LIFETIMES_SECONDS = [900, 3600, 86_400, 7 * 86_400];

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onMade: (link: SignInLink) => void;
}

/** Creates a link that signs in to an account once. `onMade` gets the link. */
export function SignInLinkDialog({ account, onClose, onMade }: Props) {
  const [seconds, setSeconds] = useState(86_400);
  const action = {
    title: 'Create a sign-in link',
    submit: 'Create the link',
    effect: (
      <p>
        Whoever opens it is signed in to the portal as <bdi>{account.name}</bdi>. It works once.
      </p>
    ),
    fields: (
      <SelectField
        label="Valid for"
        value={String(seconds)}
        options={LIFETIMES_SECONDS.map((each) => ({ value: String(each), label: formatLongDuration(each * 1000) }))}
        onChange={(value) => setSeconds(Number(value))}
      />
    ),
    reasonOptional: true,
    change: (subject: Account, reason: string) => createLink(subject, seconds, reason),
    command: ({ id }: Account, reason: string) => formatTollgateCommand(['accounts', 'link', id], { seconds, reason }),
    done: 'Link created',
    onDone: ([response]: readonly unknown[]) => onMade(response as SignInLink),
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={({ name }) => name} onClose={onClose} />;
}

interface ShowProps {
  readonly link: SignInLink;
  /** The email address to send the link to, if it is known. */
  readonly to?: string;
  readonly onClose: () => void;
}

/** Shows the sign-in link, for the operator to send. */
export function ShowLinkDialog({ link, to, onClose }: ShowProps) {
  const { close, noteCopy, warning, buttons } = useUncopied(onClose);
  return (
    <Dialog title="Sign-in link" open onClose={close} wide>
      <DialogBody>
        <p>
          Send it to {to === undefined ? 'the user of this account' : <bdi>{to}</bdi>}. It works once, until{' '}
          {formatExactTime(Date.parse(link.expiresAt))}.
        </p>
        <div onCopy={noteCopy}>
          <Code text={link.url} label="Copy the link" onCopied={noteCopy} />
        </div>
        {warning}
      </DialogBody>
      <DialogFoot>{buttons}</DialogFoot>
    </Dialog>
  );
}
