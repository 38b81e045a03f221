import type { BanView } from '../../admission/bans.ts';
import type { AdmissionStore } from '../../admission/store.ts';
import type { ChangeContext } from '../../registry/audit/audit-entry.ts';
import type { Key } from '../../registry/keys/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { bannedEvent, unbannedEvent } from '../../registry/audit/ban-events.ts';
import { liftEntry, startEntry } from '../../registry/audit/ban-record.ts';
import { banJson, listBans, unendedBan, type BanQuery } from './ban-list.ts';
import { existingKey } from './key-json.ts';
import type { Call, AdminOperations } from '../operation.ts';

/** `inspect` needs limits, but the ban does not depend on them. */
const ANY_LIMITS = { minute: 1, day: 1 };

export function banOperations(registry: Registry, store: AdmissionStore): AdminOperations {
  const runningBan = async (quotaId: string): Promise<BanView | null> => (await store.inspect(quotaId, ANY_LIMITS)).ban;

  /** By quota: a second lift meanwhile would find neither the ban nor its record, and write another. */
  const lifting = new Map<string, Promise<void>>();

  async function lift({ id: keyId, quotaId, owner }: Key, change: ChangeContext): Promise<void> {
    // Where a lift could not be recorded, the next one finds no ban, and records it.
    const ended = (await store.lift(quotaId)) ?? (await unendedBan(registry, quotaId, change.at));
    if (ended === null) return;
    const whose = { keyId, quotaId, owner };
    await registry.appendAudit(liftEntry(change, whose, ended), [unbannedEvent(whose, ended, change)]);
  }

  return {
    async listBans({ query }: Call<undefined, BanQuery>) {
      return { status: 200, body: await listBans(registry, runningBan, query) };
    },

    async banKey({ path: { id = '' }, body, change }: Call<{ readonly seconds: number }>) {
      const { quotaId, owner } = await existingKey(registry, id);
      const replaced = await runningBan(quotaId);
      // The ban comes before its record: if one of the two fails, it is better that the ban holds.
      const ban = await store.ban(quotaId, body.seconds * 1000);
      const entry = startEntry(change, { keyId: id, quotaId }, ban, null, replaced);
      await registry.appendAudit(entry, [bannedEvent({ keyId: id, quotaId, owner }, ban, change)]);
      return { status: 200, body: banJson(entry, { status: 'active', endedAt: null, lift: null }) };
    },

    async liftBan({ path: { id = '' }, change }: Call) {
      const key = await existingKey(registry, id);
      const before = lifting.get(key.quotaId);
      const lifted = Promise.resolve(before?.catch(() => undefined)).then(() => lift(key, change));
      lifting.set(key.quotaId, lifted);
      try {
        await lifted;
      } finally {
        if (lifting.get(key.quotaId) === lifted) lifting.delete(key.quotaId);
      }
      return { status: 204 };
    },
  };
}
