import type { BanView, AdmissionStore } from '../../../data-plane/ports.ts';
import type { Registry } from '../../registry/registry.ts';
import { bannedEvent, liftEntry, startEntry, unbannedEvent } from '../../registry/audit/ban-record.ts';
import { banJson, listBans, unendedBan, type BanQuery } from './ban-list.ts';
import { existingKey } from './key-json.ts';
import type { Call, AdminOperations } from '../operation.ts';

/** `inspect` needs limits, but the ban does not depend on them. */
const ANY_LIMITS = { minute: 1, day: 1 };

export function banOperations(registry: Registry, store: AdmissionStore): AdminOperations {
  const runningBan = async (quotaId: string): Promise<BanView | null> => (await store.inspect(quotaId, ANY_LIMITS)).ban;

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
      const { quotaId, owner } = await existingKey(registry, id);
      // Where a lift could not be recorded, the next one finds no ban, and records it.
      const ended = (await store.lift(quotaId)) ?? (await unendedBan(registry, quotaId, change.at));
      if (ended === null) return { status: 204 };
      const whose = { keyId: id, quotaId, owner };
      await registry.appendLift(liftEntry(change, whose, ended), unbannedEvent(whose, ended, change));
      return { status: 204 };
    },
  };
}
