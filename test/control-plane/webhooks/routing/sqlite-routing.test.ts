import { routingContract } from '../../../contract/webhooks/routing.contract.ts';
import { makeSqlite } from '../../../support/webhooks/databases.ts';

routingContract('SQLite', makeSqlite, 60);
