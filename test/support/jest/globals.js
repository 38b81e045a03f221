/** Module that `@jest/globals` resolves to in test files. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } =
  globalThis[Symbol.for('test.globals')];
