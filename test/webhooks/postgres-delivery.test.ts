import { claimsContract } from '../contract/claims.contract.ts';
import { deliveryContract } from '../contract/delivery.contract.ts';
import { postgresDatabases } from '../support/webhooks/databases.ts';

const make = postgresDatabases();

deliveryContract('PostgreSQL', make);
claimsContract('PostgreSQL', make);
