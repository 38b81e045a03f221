import { scheduleContract } from '../../contract/schedule.contract.ts';
import { quietRotationsContract } from '../../contract/quiet-rotations.contract.ts';
import { sqliteHistoryDatabase } from '../../support/history/history-database.ts';

scheduleContract('SQLite', sqliteHistoryDatabase);
quietRotationsContract('SQLite', sqliteHistoryDatabase);
