import { compareServices } from './services-in-turn.ts';
import type { ScaleRun } from './scale-run.ts';

/** Compares one service of a hundred operations with a hundred services of one operation. */
export const measureUpstreams: ScaleRun = (lab, { inTurn }) =>
  compareServices(lab, inTurn, 'upstreams, all operations in turn', [
    { title: '1 of 100 operations', services: 1, measureOperations: 100 },
    { title: '100 of 1 operation', services: 100, measureOperations: 1 },
    { title: '100 of 1 operation, always the same', services: 100, measureOperations: 1, usesOnlyOne: true },
  ]);
