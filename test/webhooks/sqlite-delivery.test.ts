import { claimsContract } from '../contract/claims.contract.ts';
import { deliveryContract } from '../contract/delivery.contract.ts';
import { makeSqlite } from '../support/webhooks/databases.ts';

deliveryContract('SQLite', makeSqlite);
claimsContract('SQLite', makeSqlite);
