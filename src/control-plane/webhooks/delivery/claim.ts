import type { Database } from '../../../storage/database.ts';
import type { Tx } from '../../../storage/tables.ts';
import { messageOf } from '../sending/message.ts';
import type { Message } from '../sending/sender.ts';
import type { ClaimSettings, Wanted } from './claim-settings.ts';
import type { Standing } from './work-places.ts';
import { type Candidate, candidates, countLeased, type DueDelivery, dueDeliveries } from './claim-queries.ts';

/** A delivery that is this gateway's until its lease ends. */
export interface Claimed {
  readonly id: string;
  readonly webhookId: string;
  /** Attempts before. */
  readonly attempts: number;
  /** ms since the Unix epoch, by the database's clock. No other claim of this delivery has the same. */
  readonly leasedUntil: number;
  readonly standing: Standing;
  readonly message: Message;
}

/**
 * Takes deliveries that are due, shared among the webhooks that have some. Where another gateway is about to take some of
 * a webhook, that is left to it.
 */
export async function claim(database: Database, settings: ClaimSettings, wanted: Wanted): Promise<Claimed[]> {
  const found = await database.read((queries) => candidates(queries, database.dialect, settings, wanted));
  const [first] = found;
  if (first === undefined) return [];
  const now = first.now;
  return database.transaction(async (tx) => {
    const mine = await lockWebhooks(tx, database, found);
    if (mine.length === 0) return [];
    const shares = sharesOf(wanted.limits, mine);
    const leased = await countLeased(
      tx,
      mine.map(({ id }) => id),
      now,
    );
    const free = mine.map(({ id, places, standing }) => {
      return { id, limit: Math.min(shares[standing], places - (leased.get(id) ?? 0)) };
    });
    const due = await dueDeliveries(
      tx,
      database.dialect,
      free.filter((each) => each.limit > 0),
      now,
    );
    const leasedUntil = now + settings.leaseMs;
    await lease(tx, due, leasedUntil);
    const webhooks = new Map(mine.map((webhook) => [webhook.id, webhook]));
    return due.flatMap(({ id, webhookId, attempts, event }) => {
      const webhook = webhooks.get(webhookId);
      if (webhook === undefined || event === null) return [];
      const { standing } = webhook;
      return [{ id, webhookId, attempts, leasedUntil, standing, message: messageOf(webhook, event, now) }];
    });
  });
}

/** How many deliveries each webhook gets: as many as the others of its standing, and one at least. */
function sharesOf(
  limits: Wanted['limits'],
  mine: readonly { readonly standing: Standing }[],
): Readonly<Record<Standing, number>> {
  const share = (standing: Standing) => {
    const count = mine.filter((each) => each.standing === standing).length;
    return Math.max(1, Math.floor(limits[standing] / Math.max(1, count)));
  };
  return { working: share('working'), troubled: share('troubled') };
}

/** So that no other gateway counts free places of these webhooks meanwhile. */
async function lockWebhooks(tx: Tx, { dialect }: Database, found: readonly Candidate[]) {
  const candidateOf = new Map(found.map((candidate) => [candidate.webhookId, candidate]));
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'url', 'secret', 'previous_secret', 'previous_secret_until'])
    .where('id', 'in', [...candidateOf.keys()])
    .where('status', '=', 'enabled')
    .modifyEnd(dialect.skipLocked)
    .execute();
  return rows.map((row) => {
    const { places, standing } = candidateOf.get(row.id)!;
    return { ...row, places, standing };
  });
}

/** Those of events that are not kept any more are deleted. */
async function lease(tx: Tx, due: readonly DueDelivery[], leasedUntil: number): Promise<void> {
  const byLoss = Map.groupBy(due, ({ event }) => event === null);
  const [kept, lost] = [false, true].map((isLost) => (byLoss.get(isLost) ?? []).map(({ id }) => id)) as [
    string[],
    string[],
  ];
  if (kept.length > 0) {
    const leased = { leased_until: leasedUntil, due_at: leasedUntil };
    await tx.updateTable('deliveries').set(leased).where('id', 'in', kept).execute();
  }
  if (lost.length > 0) {
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', lost).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', lost).execute();
  }
}
