import { compareServices } from './services-in-turn.ts';
import type { ScaleRun } from './scale-run.ts';

/** Measures the cost of a request with few and with many operations of one service. */
export const measureOperations: ScaleRun = (lab, { inTurn }) =>
  compareServices(lab, inTurn, 'operations, in turn', [
    { title: '10', services: 1, measureOperations: 10 },
    { title: '1,000', services: 1, measureOperations: 1000 },
    { title: '1,000, always the same', services: 1, measureOperations: 1000, usesOnlyOne: true },
  ]);
