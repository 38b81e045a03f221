import { claimsContract } from '../../contract/webhooks/claims.contract.ts';
import { deliveryContract } from '../../contract/webhooks/delivery.contract.ts';
import { makeSqlite } from '../../support/webhooks/databases.ts';

deliveryContract('SQLite', makeSqlite);
claimsContract('SQLite', makeSqlite);
