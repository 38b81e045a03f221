import { leaveEverything } from './leave-everything.ts';

leaveEverything();
