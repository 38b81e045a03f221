import { routingContract } from '../../contract/routing.contract.ts';
import { makeSqlite } from '../../support/webhooks/databases.ts';

routingContract('SQLite', makeSqlite, 60);
