import { routingContract } from '../../../contract/webhooks/routing.contract.ts';
import { postgresDatabases } from '../../../support/webhooks/databases.ts';

routingContract('PostgreSQL', postgresDatabases(), 10);
