import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { ChangeContext } from '../../../src/control-plane/registry/audit-log.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import type { NewWebhook, Viewer, Webhook, WebhookSort } from '../../../src/control-plane/webhooks/webhook.ts';
import { MAX_WEBHOOKS } from '../../../src/control-plane/webhooks/webhook-changes.ts';
import type { Webhooks } from '../../../src/control-plane/webhooks/webhooks.ts';
import { pino } from 'pino';
import { free } from '../../support/registry-data.ts';
import { createWebhooks } from '../../support/webhooks/webhooks.ts';

/** A database with the connections of two gateways. */
export interface DatabasesUnderTest {
  readonly database: Database;
  readonly peer: Database;
  dispose(): Promise<void>;
}

const NOW = Date.parse('2026-06-15T12:00:00Z');
const HOUR = 3_600_000;
const change: ChangeContext = { actor: 'ops', reason: 'agreed', at: NOW };
const refusal = (code: string) => expect.objectContaining({ name: 'RegistryError', code });
const services = [
  { name: 'pet.created', source: 'petstore', summary: 'A pet was made.', audience: 'everyone' },
  { name: 'pet.secret', source: 'petstore', summary: '', audience: 'operators' },
] as const;

let made: DatabasesUnderTest;
let accounts: Accounts;
let registry: Registry;
let webhooks: Webhooks;
let peer: Webhooks;

const given = (over: Partial<NewWebhook> = {}): NewWebhook => ({
  accountId: null,
  url: 'https://hooks.example.com/in',
  description: 'all of it',
  types: ['*'],
  ...over,
});
const create = async (over: Partial<NewWebhook> = {}) => (await webhooks.create(given(over), change)).webhook;
const account = async (owner: string) =>
  accounts.create({ owner, name: owner, email: null, plan: 'free' }, change).then(({ id }) => id);
const listAudit = async (subject: string) => (await registry.listAudit({ subject }, { limit: 100 })).items;
const readSecret = (id: string) =>
  made.database.read((queries) =>
    queries
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret', 'previous_secret_until'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );

/** Declares the requirements for webhooks, which every database must meet. */
export function webhooksContract(name: string, make: () => Promise<DatabasesUnderTest>): void {
  describe(`with ${name},`, () => {
    beforeEach(async () => {
      made = await make();
      const { database } = made;
      accounts = new Accounts(database, pino({ level: 'silent' }));
      registry = new Registry(database);
      webhooks = createWebhooks(database, { services });
      peer = createWebhooks(made.peer, { services });
      await registry.seedPlans([free], change);
    });
    afterEach(() => made.dispose());

    describe('webhooks', webhookTests);
    describe('the event types of a webhook', typeTests);
    describe('the secrets of a webhook', secretTests);
    describe('webhooks of an account', ownershipTests);
  });
}

function webhookTests(): void {
  test('are stored as they were created, with a secret that only the response has', async () => {
    const { webhook, secret } = await webhooks.create(given(), change);
    expect(webhook).toEqual({
      ...given(),
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{20}$/),
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: NOW,
      revision: expect.any(Number),
    });
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(await peer.get('operators', webhook.id)).toEqual(webhook);
    expect(await webhooks.get('operators', 'whk_none')).toBeNull();
    expect(await readSecret(webhook.id)).toMatchObject({ secret, previous_secret: null });
  });

  test('can be changed, disabled and enabled, with an audit entry for each change', async () => {
    const { id, revision } = await create();
    const patch = { url: 'https://other.example.com', description: '', types: ['key.created', 'key.created'] };
    const changed = await webhooks.update('operators', id, patch, change);
    expect(changed).toMatchObject({ url: 'https://other.example.com/', description: '', types: ['key.created'] });
    expect(changed.revision).toBeGreaterThan(revision);
    const disabled = await webhooks.update('operators', id, { status: 'disabled' }, change);
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'manual', disabledAt: NOW });
    expect(await webhooks.update('operators', id, { status: 'disabled' }, change)).toEqual(disabled);
    await made.database.transaction((tx) => tx.updateTable('webhooks').set({ failing_since: NOW }).execute());
    const enabled = await webhooks.update('operators', id, { status: 'enabled' }, change);
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null, disabledAt: null, failingSince: null });
    expect(await peer.get('operators', id)).toEqual(enabled);
    const [, , first] = await listAudit(id);
    expect((await listAudit(id)).map(({ action }) => action)).toEqual([
      'webhook.update',
      'webhook.update',
      'webhook.update',
      'webhook.create',
    ]);
    expect(first).toMatchObject({ actor: 'ops', before: { types: ['*'] }, after: { types: ['key.created'] } });
  });

  test('can be changed only at the expected revision', async () => {
    const { id, revision } = await create();
    await peer.update('operators', id, { description: 'mine' }, change, { revision });
    const conflict = refusal('conflict');
    await expect(webhooks.update('operators', id, { description: 'x' }, change, { revision })).rejects.toEqual(
      conflict,
    );
    await expect(webhooks.delete('operators', id, change, { revision })).rejects.toEqual(conflict);
    await expect(webhooks.rotateSecret('operators', id, 0, change, { revision })).rejects.toEqual(conflict);
  });

  test('can be deleted', async () => {
    const { id } = await create();
    await webhooks.delete('operators', id, change);
    expect(await peer.get('operators', id)).toBeNull();
    expect((await listAudit(id))[0]).toMatchObject({ action: 'webhook.delete', before: { id, types: ['*'] } });
    await expect(webhooks.delete('operators', id, change)).rejects.toEqual(refusal('webhook_not_found'));
    await expect(webhooks.update('operators', id, {}, change)).rejects.toEqual(refusal('webhook_not_found'));
    await expect(webhooks.rotateSecret('operators', id, 0, change)).rejects.toEqual(refusal('webhook_not_found'));
  });

  test('are listed in pages, newest first', async () => {
    const accountId = await account('acme');
    const all: Webhook[] = [];
    for (const owner of [null, accountId, null]) all.unshift(await create({ accountId: owner }));
    const first = await webhooks.list('operators', {}, { limit: 2 });
    const second = await webhooks.list('operators', {}, { limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    expect((await webhooks.list('operators', { accountId }, { limit: 9 })).items).toEqual([all[1]]);
    expect((await webhooks.list('operators', { accountId: null }, { limit: 9 })).items).toEqual([all[0], all[2]]);
    await webhooks.update('operators', all[0]!.id, { status: 'disabled' }, change);
    expect((await webhooks.list('operators', { status: 'disabled' }, { limit: 9 })).items).toHaveLength(1);
  });

  test('can be sorted by name, state and creation, in pages, and filtered by failure', async () => {
    const all = [
      await create({ description: 'Pager' }),
      await create({ description: '', url: 'https://a.example.com/in' }),
      await create({ description: 'chat' }),
      await create({ description: 'chat' }),
      await create({ description: 'old' }),
    ];
    const ids = all.map(({ id }) => id);
    const fails = (id: string) =>
      made.database.transaction((tx) =>
        tx.updateTable('webhooks').set({ failing_since: NOW }).where('id', '=', id).execute(),
      );
    await fails(ids[2]!);
    await fails(ids[4]!);
    await made.database.transaction((tx) =>
      tx.updateTable('webhooks').set({ status: 'disabled' }).where('id', '=', ids[4]!).execute(),
    );
    const sorted = async (by: WebhookSort, descending = false) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await webhooks.list('operators', {}, { limit: 2, cursor }, { by, descending });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found.map((id) => ids.indexOf(id) + 1).join('');
    };
    for (const [by, order] of [
      ['createdAt', '12345'],
      ['name', '34251'],
      ['status', '51243'],
    ] as const) {
      expect([by, await sorted(by), await sorted(by, true)]).toEqual([
        by,
        order,
        order.split('').toReversed().join(''),
      ]);
    }
    const failing = await webhooks.list('operators', { isFailing: true }, { limit: 9 });
    expect(failing.items.map(({ id }) => id)).toEqual([ids[2]]);
  });

  test('accept only allowed URLs', async () => {
    const url = 'https://forbidden.example.com';
    const refused = refusal('webhook_address_not_allowed');
    await expect(create({ url })).rejects.toEqual(refused);
    const { id } = await create();
    await expect(webhooks.update('operators', id, { url }, change)).rejects.toEqual(refused);
    expect(await listAudit(id)).toHaveLength(1);
  });
}

function typeTests(): void {
  test('must be known types or *', async () => {
    expect((await create({ types: ['pet.created', 'key.banned'] })).types).toEqual(['key.banned', 'pet.created']);
    const unknown = refusal('event_type_unknown');
    for (const types of [[], ['no.such'], ['*', 'key.banned'], ['webhook.test'], ['__proto__'], ['toString']]) {
      await expect(create({ types })).rejects.toEqual(unknown);
    }
    const { id } = await create();
    await expect(webhooks.update('operators', id, { types: ['no.such'] }, change)).rejects.toEqual(unknown);
  });

  test('must be visible to its account', async () => {
    const accountId = await account('acme');
    await expect(create({ accountId, types: ['store.degraded'] })).rejects.toEqual(refusal('event_type_unknown'));
    await expect(create({ accountId, types: ['pet.secret'] })).rejects.toEqual(refusal('event_type_unknown'));
    const { id } = await create({ accountId, types: ['pet.created'] });
    // The type is refused even if an operator changes the webhook.
    const byOperators = webhooks.update('operators', id, { types: ['store.degraded'] }, change);
    await expect(byOperators).rejects.toEqual(refusal('event_type_unknown'));
    expect((await create({ types: ['store.degraded', 'pet.secret'] })).types).toHaveLength(2);
    const namesFor = (accountId: string | null) => webhooks.types.listAvailable(accountId).map(({ name }) => name);
    expect(namesFor(accountId)).not.toContain('store.degraded');
    expect(namesFor(null)).toContain('store.degraded');
  });
}

function secretTests(): void {
  test('can be rotated, and the old secret also signs until its grace period ends', async () => {
    const { webhook, secret } = await webhooks.create(given(), change);
    const rotated = await peer.rotateSecret('operators', webhook.id, HOUR, change);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook).toMatchObject({ previousSecretUntil: NOW + HOUR });
    expect(await webhooks.get('operators', webhook.id)).toEqual(rotated.webhook);
    expect(await readSecret(webhook.id)).toEqual({
      secret: rotated.secret,
      previous_secret: secret,
      previous_secret_until: NOW + HOUR,
    });
    const again = await webhooks.rotateSecret('operators', webhook.id, 0, change);
    expect(await readSecret(webhook.id)).toEqual({
      secret: again.secret,
      previous_secret: null,
      previous_secret_until: null,
    });
  });

  test('are in no entry of the audit log', async () => {
    const { webhook, secret } = await webhooks.create(given(), change);
    const rotated = await webhooks.rotateSecret('operators', webhook.id, HOUR, change);
    await webhooks.update('operators', webhook.id, { status: 'disabled' }, change);
    await webhooks.delete('operators', webhook.id, change);
    const entries = JSON.stringify(await listAudit(webhook.id));
    expect(entries).toContain('webhook.rotate');
    expect(entries).not.toContain(secret);
    expect(entries).not.toContain(rotated.secret);
    expect(entries).not.toContain('whsec_');
  });
}

function ownershipTests(): void {
  test('can be read and changed only by their account and by operators', async () => {
    const [mine, other] = [await account('mine'), await account('other')];
    const { id } = await create({ accountId: mine });
    const { id: ofOperators } = await create();
    const viewer: Viewer = { accountId: mine };
    expect(await webhooks.get(viewer, id)).toMatchObject({ accountId: mine });
    expect((await webhooks.list(viewer, {}, { limit: 9 })).items.map((each) => each.id)).toEqual([id]);
    expect((await webhooks.list(viewer, { accountId: null }, { limit: 9 })).items).toEqual([]);
    const notFound = refusal('webhook_not_found');
    for (const [who, what] of [
      [{ accountId: other }, id],
      [viewer, ofOperators],
    ] as const) {
      expect(await webhooks.get(who, what)).toBeNull();
      await expect(webhooks.update(who, what, { description: 'x' }, change)).rejects.toEqual(notFound);
      await expect(webhooks.delete(who, what, change)).rejects.toEqual(notFound);
      await expect(webhooks.rotateSecret(who, what, 0, change)).rejects.toEqual(notFound);
      expect(await webhooks.get('operators', what)).not.toBeNull();
    }
    expect((await webhooks.update(viewer, id, { description: 'x' }, change)).description).toBe('x');
    await webhooks.delete(viewer, id, change);
  });

  test('are limited per account, even if created concurrently', async () => {
    const accountId = await account('acme');
    const tries = Array.from({ length: MAX_WEBHOOKS + 4 }, (_, index) =>
      (index % 2 === 0 ? webhooks : peer).create(given({ accountId }), change),
    );
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(4).fill(refusal('too_many_webhooks')));
    await expect(create({ accountId: 'acc_none' })).rejects.toEqual(refusal('account_not_found'));
    const [oldest] = (await webhooks.list({ accountId }, {}, { limit: 20 })).items;
    await webhooks.delete({ accountId }, oldest!.id, change);
    await create({ accountId });
  });

  test('are deleted with their account', async () => {
    const [mine, other] = [await account('mine'), await account('other')];
    const gone = [await create({ accountId: mine }), await create({ accountId: mine })];
    const kept = [await create({ accountId: other }), await create()];
    await accounts.delete(mine, change);
    for (const { id } of gone) expect(await webhooks.get('operators', id)).toBeNull();
    for (const { id } of kept) expect(await webhooks.get('operators', id)).not.toBeNull();
  });
}
