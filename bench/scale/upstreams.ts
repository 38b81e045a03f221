import { servicesInTurn } from './services-in-turn.ts';
import type { ScaleRun } from './scale-run.ts';

/** Compares one service of a hundred operations with a hundred services of one operation. */
export const upstreams: ScaleRun = (lab, { inTurn }) =>
  servicesInTurn(lab, inTurn, 'upstreams, all operations in turn', [
    { title: '1 of 100 operations', services: 1, operations: 100 },
    { title: '100 of 1 operation', services: 100, operations: 1 },
    { title: '100 of 1 operation, always the same', services: 100, operations: 1, onlyOne: true },
  ]);
