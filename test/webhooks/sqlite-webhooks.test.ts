import { webhooksContract } from '../contract/webhooks.contract.ts';
import { makeSqlite } from '../support/webhooks/databases.ts';

webhooksContract('SQLite', makeSqlite);
