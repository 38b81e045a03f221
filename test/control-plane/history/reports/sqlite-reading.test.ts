import { historyReadingContract } from '../../../contract/history-reading.contract.ts';
import { historyUsageContract } from '../../../contract/history-usage.contract.ts';
import { sqliteHistoryDatabase } from '../../../support/history/history-database.ts';

historyUsageContract('SQLite', sqliteHistoryDatabase);
historyReadingContract('SQLite', sqliteHistoryDatabase);
