import { afterAll } from '@jest/globals';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';
import { countsExactly } from './exact-counts.contract.ts';

const postgres = sharedPostgres();
afterAll(async () => (await postgres).dropDatabases());

countsExactly(20_000, () => postgres);
