import { historyUsageContract } from '../../contract/history-usage.contract.ts';
import { sqliteHistory } from '../../support/history/sqlite-history.ts';

historyUsageContract('SQLite', sqliteHistory);
