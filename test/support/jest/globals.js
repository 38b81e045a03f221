/** The module to which `@jest/globals` resolves in test files. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } =
  globalThis[Symbol.for('test.globals')];
