import { join } from 'node:path';
import { pino } from 'pino';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { accountsContract, type AccountsUnderTest } from '../../contract/accounts.contract.ts';
import { accountsTogetherContract } from '../../contract/accounts-together.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const logger = pino({ level: 'silent' });

async function make(): Promise<AccountsUnderTest> {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    accounts: new Accounts(database, logger),
    peer: new Accounts(database, logger),
    registry: new Registry(database),
    database,
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
}

accountsContract('SQLite', make);
accountsTogetherContract('SQLite', make);
