/** An endpoint that was down for days can have a hundred thousand pending deliveries. A claim must not read them all. */
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Tx } from '../../../../src/storage/tables.ts';
import { findCandidates, countLeased, lockDueDeliveries } from '../../../../src/control-plane/webhooks/claim.ts';
import { postgresDatabases } from '../../../support/webhooks/databases.ts';
import { Stage } from '../../../support/webhooks/stage.ts';

const BACKLOG = 100_000;
const OTHERS = 20;
const make = postgresDatabases();

test('a claim of deliveries reads few rows, however many deliveries a webhook has pending', async () => {
  const stage = await Stage.open(await make());
  const now = Date.now();
  const ids: string[] = [];
  for (let count = 0; count <= OTHERS; count++) {
    ids.push((await stage.webhook('https://example.com/')).webhook.id);
  }
  const [busy = '', later = '', ...others] = ids;
  await insert(stage, busy, BACKLOG, now - 2 * BACKLOG);
  await insert(stage, later, BACKLOG, now + 3_600_000);
  for (const id of others) await insert(stage, id, 1, now - 1000);

  await stage.database.transaction(async (tx) => {
    const settings = { perWebhook: 8, perFailingWebhook: 1 };
    const found = await findCandidates(tx, stage.database.dialect, settings, {
      limits: { working: 48, slow: 16, failing: 16 },
      slowWebhooks: [],
      except: [],
    });
    expect(found.map(({ webhookId }) => webhookId).sort()).toEqual([busy, ...others].sort());
    await countLeased(tx, ids, now);
    const free = found.map(({ webhookId: id }) => ({ id, limit: 8 }));
    expect(await lockDueDeliveries(tx, stage.database.dialect, free, now)).toHaveLength(8 + others.length);
    expect(await rowsRead(tx)).toBeLessThan(500);
  });
  await stage.close();
});

// A claim once visited every webhook with pending deliveries, even if its next attempt was an hour away.
test('a claim of deliveries reads few rows, however many webhooks have pending deliveries', async () => {
  const stage = await Stage.open(await make());
  const now = Date.now();
  const { id } = (await stage.webhook('https://example.com/')).webhook;
  await insert(stage, id, 3, now - 1000);
  await stage.database.transaction((tx) =>
    sql`INSERT INTO deliveries (id, event_id, webhook_id, status, due_at, attempts, created_at)
      SELECT 'dlv_' || n, 'evt_' || n, 'whk_' || n, 'pending', ${now + 3_600_000}::bigint, 1, 0
      FROM generate_series(1, 5000) AS n`.execute(tx),
  );
  await stage.database.transaction(async (tx) => {
    const wanted = { limits: { working: 48, slow: 16, failing: 16 }, slowWebhooks: [], except: [] };
    const settings = { perWebhook: 8, perFailingWebhook: 1 };
    expect(await findCandidates(tx, stage.database.dialect, settings, wanted)).toMatchObject([{ webhookId: id }]);
    expect(await rowsRead(tx)).toBeLessThan(20);
  });
  await stage.close();
});

function insert(stage: Stage, webhookId: string, count: number, dueAt: number): Promise<unknown> {
  return stage.database.transaction((tx) =>
    sql`INSERT INTO deliveries (id, event_id, webhook_id, status, due_at, attempts, created_at)
      SELECT ${webhookId} || n, 'evt_' || n, ${webhookId}, 'pending', ${dueAt}::bigint + n, 0, 0
      FROM generate_series(1, ${count}::bigint) AS n`.execute(tx),
  );
}

/** The number of rows of `deliveries` that were read in this transaction. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
    WHERE relname = 'deliveries'`.execute(tx);
  return rows[0]?.read ?? 0;
}
