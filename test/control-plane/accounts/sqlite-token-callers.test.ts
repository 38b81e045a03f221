import { tokenCallersContract } from '../../contract/token-callers.contract.ts';
import { sqliteHistoryDatabase } from '../../support/history/history-database.ts';

tokenCallersContract('SQLite', sqliteHistoryDatabase);
