import { historyStoreContract } from '../../../contract/history-store.contract.ts';
import { sqliteHistoryDatabase } from '../../../support/history/history-database.ts';

historyStoreContract('SQLite', sqliteHistoryDatabase);
