import type { Database } from '../../../storage/database.ts';
import type { Claimed } from './claim.ts';

/** Makes deliveries due again that will not be sent here. One that another gateway has taken over meanwhile stays with it. */
export function releaseLeases(database: Database, claimed: readonly Claimed[]): Promise<void> {
  const sorted = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return database.transaction(async (tx) => {
    for (const { id, leasedUntil } of sorted) {
      await tx
        .updateTable('deliveries')
        .set({ leased_until: null, due_at: database.dialect.now })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .where('leased_until', '=', leasedUntil)
        .execute();
    }
  });
}
