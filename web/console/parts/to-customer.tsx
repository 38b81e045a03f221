import styles from './parts.module.css';

interface Props {
  readonly message: string | null;
  /** The reason of the ban, shown above the message. */
  readonly reason: string | null;
}

/** Shows the message to the customer about a ban. Renders nothing if it equals the reason, as for automatic bans. */
export function ToCustomer({ message, reason }: Props) {
  if (message === null || message === reason) return null;
  return (
    <div className={`${styles.detail} ${styles.clamped}`} title={message}>
      To the customer: <bdi>{message}</bdi>
    </div>
  );
}
