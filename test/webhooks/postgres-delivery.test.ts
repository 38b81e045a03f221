import { claimsContract } from '../contract/webhooks/claims.contract.ts';
import { deliveryContract } from '../contract/webhooks/delivery.contract.ts';
import { postgresDatabases } from '../support/webhooks/databases.ts';

const make = postgresDatabases();

deliveryContract('PostgreSQL', make);
claimsContract('PostgreSQL', make);
