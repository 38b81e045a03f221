import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { claimsContract } from '../../contract/webhooks/claims.contract.ts';
import { deliveryContract } from '../../contract/webhooks/delivery.contract.ts';
import { until } from '../../support/until.ts';
import { postgresDatabases } from '../../support/webhooks/databases.ts';
import { change, Stage } from '../../support/webhooks/stage.ts';

const make = postgresDatabases();

deliveryContract('PostgreSQL', make);
claimsContract('PostgreSQL', make);

/**
 * A change once wrote back an old value of `failing_since`, so that days later, a single failure disabled the webhook.
 */
test('a change to a webhook does not overwrite the result of a concurrent delivery', async () => {
  const stage = await Stage.open(await make());
  const { id } = (await stage.webhook('https://hooks.example.com/')).webhook;
  const setFailing = (since: number | null, after: () => Promise<void>) =>
    stage.peer.transaction(async (tx) => {
      await tx.updateTable('webhooks').set({ failing_since: since }).where('id', '=', id).execute();
      await after();
    });
  await setFailing(1, async () => {});
  const [written, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const delivered = setFailing(null, () => {
    written.resolve();
    return read.promise;
  });
  await written.promise;
  const changed = stage.webhooks.update('operators', id, { description: 'new' }, change);
  const waiting = sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => (await stage.peer.read((queries) => waiting.execute(queries))).rows[0]?.count === 1);
  read.resolve();
  await Promise.all([delivered, changed]);
  expect(await stage.webhooks.get('operators', id)).toMatchObject({ description: 'new', failingSince: null });
  await stage.close();
});
