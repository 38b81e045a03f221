import { routingContract } from '../../contract/webhooks/routing.contract.ts';
import { webhooksContract } from '../../contract/webhooks/webhooks.contract.ts';
import { postgresDatabases } from '../../support/webhooks/databases.ts';

const make = postgresDatabases();

webhooksContract('PostgreSQL', make);
routingContract('PostgreSQL', make, 10);
