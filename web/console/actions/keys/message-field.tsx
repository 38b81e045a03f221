import { TextField } from '../../../shared/ui/controls/field.tsx';

/** A field for the message to the customer about a ban or its end. */
export function MessageField({
  message,
  onChange,
}: {
  readonly message: string;
  readonly onChange: (message: string) => void;
}) {
  return (
    <TextField
      label="Message"
      hint="Shown to the customer, in the portal and in events."
      optional
      maxLength={500}
      spellCheck
      value={message}
      onChange={onChange}
    />
  );
}

/** The hint of the reason, if a message to the customer is beside it. */
export const REASON_HINT = 'For the audit log. The customer does not see it.';

/** Undefined if the field is empty, so that no message is sent. */
export function trimMessage(message: string): string | undefined {
  return message.trim() === '' ? undefined : message.trim();
}
