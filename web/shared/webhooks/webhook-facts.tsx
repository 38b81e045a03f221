import type { ReactNode } from 'react';
import { Time, useNow } from '../ui/data/time.tsx';
import { Fact, Facts, Section } from '../ui/page/page.tsx';
import { ALL_TYPES, type Webhook } from './webhook.ts';

interface Props {
  readonly webhook: Webhook;
  readonly typeLink: (type: string) => ReactNode;
  /** Further facts, which only one of the two sites knows. */
  readonly children?: ReactNode;
}

export function WebhookFacts({ webhook, typeLink, children }: Props) {
  const { url, types, createdAt, previousSecretUntil } = webhook;
  const now = useNow();
  const isRotating = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now;
  return (
    <Section title="Details">
      <Facts>
        <Fact name="URL" isWide>
          <code>{url}</code>
        </Fact>
        {children}
        <Fact name="Events">
          {types.includes(ALL_TYPES) ? (
            'all, including types added later'
          ) : (
            <ul>
              {types.map((type) => (
                <li key={type}>{typeLink(type)}</li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name="Secret">
          {isRotating ? (
            <>
              rotated; the old one is valid until <Time at={previousSecretUntil} />
            </>
          ) : (
            'shown only when it is created or rotated'
          )}
        </Fact>
        <Fact name="Created">
          <Time at={createdAt} />
        </Fact>
      </Facts>
    </Section>
  );
}
