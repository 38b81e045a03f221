import { webhooksContract } from '../../contract/webhooks/webhooks.contract.ts';
import { postgresDatabases } from '../../support/webhooks/databases.ts';

webhooksContract('PostgreSQL', postgresDatabases());
