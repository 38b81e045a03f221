/** The guarantees about accounts also hold if consumers and operators make changes on two gateways concurrently. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChangeContext } from '../../src/control-plane/registry/audit-log.ts';
import type { Account } from '../../src/control-plane/accounts/account.ts';
import type { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import { RegistryError } from '../../src/domain/registry-error.ts';
import { enterprise, free, pro, createSuccessor } from '../support/registry-data.ts';
import type { AccountsUnderTest } from './accounts.contract.ts';

const MAX_KEYS = 3;
const AT = Date.parse('2026-06-15T12:00:00Z');
const change: ChangeContext = { actor: 'ops', reason: null, at: AT };

const ACTIONS = [
  'createKey',
  'createKey',
  'rotateKey',
  'revokeKey',
  'moveToPro',
  'moveToFree',
  'disable',
  'enable',
  'enable',
  'signIn',
  'link',
  'ask',
  'approve',
  'decline',
  'delete',
] as const;
type Action = (typeof ACTIONS)[number];

interface Step {
  readonly action: Action;
  readonly account: number;
  readonly peer: boolean;
}

const step = fc.record({
  action: fc.constantFrom(...ACTIONS),
  account: fc.nat({ max: 1 }),
  peer: fc.boolean(),
});
/** Rounds of steps. The steps of a round run concurrently. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });

export function accountsTogetherContract(name: string, make: () => Promise<AccountsUnderTest>): void {
  describe(`with ${name},`, () => {
    test('accounts, their keys, sessions and requests stay consistent under random concurrent changes', async () => {
      const made = await make();
      await made.registry.seedPlans([free, pro, enterprise], change);
      let owners = 0;
      const property = fc.asyncProperty(rounds, async (steps) => {
        const created: Account[] = [];
        for (let index = 0; index < 2; index++) {
          const owner = `owner-${owners++}`;
          created.push(await made.accounts.create({ owner, name: owner, email: null, plan: 'free' }, change));
        }
        for (const round of steps) {
          await Promise.all(round.map((each) => take(made, created[each.account]!, each)));
          for (const { id, owner } of created) await check(made, id, owner);
        }
      });
      await fc.assert(property, { numRuns: 25, endOnFailure: true });
      await made.dispose();
    });
  });
}

/** Runs one step. The step may be refused, but must not fail in another way. */
async function take(made: AccountsUnderTest, account: Account, { action, peer }: Step): Promise<void> {
  try {
    await actions[action](peer ? made.peer : made.accounts, made, account);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
  }
}

const actions: Readonly<
  Record<Action, (accounts: Accounts, made: AccountsUnderTest, account: Account) => Promise<unknown>>
> = {
  createKey: (accounts, _, { id }) => accounts.createKey(id, { name: 'k' }, { maxKeys: MAX_KEYS }, change),
  async rotateKey(_, { registry }, { owner }) {
    const [key] = (await registry.listKeys({ owner, status: 'active' }, { limit: 1 })).items;
    if (key !== undefined) await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT + 60_000 }, change);
  },
  async revokeKey(_, { registry }, { owner }) {
    const [key] = (await registry.listKeys({ owner, status: 'active' }, { limit: 1 })).items;
    if (key !== undefined) await registry.updateKey(key.id, { status: 'revoked' }, change);
  },
  moveToPro: (accounts, _, { id }) => accounts.update(id, { plan: 'pro' }, change),
  moveToFree: (accounts, _, { id }) => accounts.update(id, { plan: 'free' }, change),
  disable: (accounts, _, { id }) => accounts.update(id, { status: 'disabled' }, change),
  enable: (accounts, _, { id }) => accounts.update(id, { status: 'active' }, change),
  signIn: ({ sessions }, _, { id: accountId }) =>
    sessions.start({ user: { method: 'link', accountId }, cookie: 'c', address: '', userAgent: '', at: AT }),
  link: (accounts, _, { id }) => accounts.createLink(id, 60_000, change),
  ask: ({ planRequests }, _, { id }) => planRequests.create(id, { plan: 'pro', message: '' }, change),
  approve: ({ planRequests }, _, { id }) => decide(planRequests, id, 'approve'),
  decline: ({ planRequests }, _, { id }) => decide(planRequests, id, 'decline'),
  delete: (accounts, _, { id }) => accounts.delete(id, change),
};

async function decide(requests: Accounts['planRequests'], accountId: string, how: 'approve' | 'decline') {
  const [request] = (await requests.list({ accountId, status: 'open' }, { limit: 1 })).items;
  if (request !== undefined) await requests[how](request.id, change);
}

async function check({ accounts, registry, database }: AccountsUnderTest, id: string, owner: string): Promise<void> {
  const account = await accounts.get(id);
  const keys = (await registry.listKeys({ owner }, { limit: 100 })).items;
  const usable = keys.filter(({ status }) => status !== 'revoked');
  expect(keys.filter(({ quotaId }) => quotaId !== id)).toEqual([]);
  // Keys are on the account's plan. A deleted account has no usable keys.
  expect(usable.filter(({ plan }) => plan !== account?.plan)).toEqual([]);
  expect(usable.filter(({ rotatedTo }) => rotatedTo === null).length).toBeLessThanOrEqual(MAX_KEYS);
  const open = (await accounts.planRequests.list({ accountId: id, status: 'open' }, { limit: 10 })).items;
  expect(open.length).toBeLessThanOrEqual(account === null ? 0 : 1);
  if (account?.status === 'active') return;
  for (const table of ['portal_sessions', 'account_links'] as const) {
    const rows = database.read((queries) =>
      queries.selectFrom(table).selectAll().where('account_id', '=', id).execute(),
    );
    expect(await rows).toEqual([]);
  }
}
