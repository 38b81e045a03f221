import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Id } from '../../../shared/ui/controls/copy.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Account, accountOfOwnerQuery } from '../../api/accounts.ts';
import { webhooksQuery } from '../../api/events/webhooks.ts';
import { CreateAccountDialog } from '../../actions/lazy-dialogs.ts';
import { AccountState } from '../../parts/account-state.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { PlanLink } from '../../parts/plan-link.tsx';
import { WebhookTable } from '../../parts/webhooks/webhook-table.tsx';
import { useSession } from '../../session/session-context.ts';

/** Shows the account with which an owner signs in to the portal. */
export function OwnerAccount({ owner }: { readonly owner: string }) {
  const account = useQuery(accountOfOwnerQuery(owner));
  const { canChange } = useSession();
  const [isCreating, setCreating] = useState(false);
  if (account.data != null) return <AccountFacts account={account.data} />;
  return (
    <Section title="Account">
      {account.isPending && <Loading rows={2} label="Loading the account" />}
      {account.isError && account.data === undefined && <ReadFailure query={account} what="the account" />}
      {account.data === null && (
        <div className={parts.offer}>
          <p className={parts.none}>No account, so this owner cannot sign in to the portal.</p>
          {canChange && (
            <Button icon={UserPlus} onClick={() => setCreating(true)}>
              Create an account
            </Button>
          )}
        </div>
      )}
      {isCreating && <CreateAccountDialog ofOwner={owner} onClose={() => setCreating(false)} />}
    </Section>
  );
}

function AccountFacts({ account }: { readonly account: Account }) {
  const { id, email, status, plan, createdAt, lastSignInAt } = account;
  return (
    <Facts>
      <Fact name="Account">
        <AccountState status={status} />
      </Fact>
      {email === null && <Fact name="Email">none</Fact>}
      <Fact name="Plan">
        <PlanLink id={plan} />
      </Fact>
      <Fact name="Last signed in">{lastSignInAt === null ? 'never' : <Time at={lastSignInAt} />}</Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Id">
        <Id id={id} whole />
      </Fact>
    </Facts>
  );
}

/** Lists the webhooks of the owner's account. Renders nothing if the owner has no account. */
export function OwnerWebhooks({ owner }: { readonly owner: string }) {
  const account = useQuery(accountOfOwnerQuery(owner)).data;
  return account == null ? null : <AccountWebhooks id={account.id} />;
}

function AccountWebhooks({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(webhooksQuery({ account: id }));
  const webhooks = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Section
      title="Webhooks"
      aside={
        <Link to="/webhooks" search={{ account: id }}>
          All webhooks of this account
        </Link>
      }
    >
      {list.isPending && <Loading rows={2} label="Loading the webhooks" />}
      {list.isError && webhooks === undefined && <ReadFailure query={list} what="the webhooks" />}
      {webhooks?.length === 0 && <p className={parts.none}>No webhooks.</p>}
      {webhooks !== undefined && webhooks.length > 0 && <WebhookTable webhooks={webhooks} ofOneAccount />}
    </Section>
  );
}
