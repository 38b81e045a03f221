import { scheduleContract } from '../../contract/schedule.contract.ts';
import { endedKeysContract } from '../../contract/ended-keys.contract.ts';
import { quietRotationsContract } from '../../contract/quiet-rotations.contract.ts';
import { sqliteHistoryDatabase } from '../../support/history/history-database.ts';

scheduleContract('SQLite', sqliteHistoryDatabase);
quietRotationsContract('SQLite', sqliteHistoryDatabase);
endedKeysContract('SQLite', sqliteHistoryDatabase);
