import { expect } from '@jest/globals';
import { queryObjects } from 'node:v8';
import { Generation } from '../../../src/assembly/generation.ts';
import { ConnectionPool } from '../../../src/data-plane/upstreams/http/connection-pool.ts';
import { Target } from '../../../src/data-plane/upstreams/http/target.ts';
import { reloadsUnderLoad } from './under-load.contract.ts';

/**
 * Counts the objects of each class after a garbage collection. The size of the heap would prove nothing, because it
 * varies by itself.
 */
function countObjects(): number[] {
  return [Generation, ConnectionPool, Target].map((type) => queryObjects(type, { format: 'count' }));
}

const others = countObjects();
reloadsUnderLoad(60, () => {
  const counts = countObjects();
  const kept = counts.map((count, index) => count - others[index]!);
  // The objects left belong to the current configuration, and to earlier ones whose requests are still running.
  expect(Math.max(...kept)).toBeLessThanOrEqual(5);
  // Those of earlier tests in this process may be gone, so compare with zero.
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
});
