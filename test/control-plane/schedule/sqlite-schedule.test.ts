import { scheduleContract } from '../../contract/schedule.contract.ts';
import { sqliteHistoryDatabase } from '../../support/history/history-database.ts';

scheduleContract('SQLite', sqliteHistoryDatabase);
