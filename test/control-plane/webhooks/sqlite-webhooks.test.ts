import { webhooksContract } from '../../contract/webhooks/webhooks.contract.ts';
import { makeSqlite } from '../../support/webhooks/databases.ts';

webhooksContract('SQLite', makeSqlite);
