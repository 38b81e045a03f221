import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openReadyPostgres } from '../../support/servers/open-postgres.ts';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { accountsContract, type AccountsUnderTest } from '../../contract/accounts.contract.ts';
import { accountsTogetherContract } from '../../contract/accounts-together.contract.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';

const logger = pino({ level: 'silent' });

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

async function make(): Promise<AccountsUnderTest> {
  const url = await postgres.borrowDatabase();
  const [one, other] = [await openReadyPostgres(url, logger), await openReadyPostgres(url, logger)];
  return {
    accounts: new Accounts(one, logger),
    peer: new Accounts(other, logger),
    registry: new Registry(one),
    database: one,
    async dispose() {
      await Promise.all([one.close(), other.close()]);
      await postgres.releaseDatabase(url);
    },
  };
}

accountsContract('PostgreSQL', make);
accountsTogetherContract('PostgreSQL', make);
