/** What test files import as `@jest/globals`. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } =
  globalThis[Symbol.for('test.globals')];
