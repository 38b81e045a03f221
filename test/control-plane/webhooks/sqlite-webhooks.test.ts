import { routingContract } from '../../contract/webhooks/routing.contract.ts';
import { webhooksContract } from '../../contract/webhooks/webhooks.contract.ts';
import { makeSqlite } from '../../support/webhooks/databases.ts';

webhooksContract('SQLite', makeSqlite);
routingContract('SQLite', makeSqlite, 60);
