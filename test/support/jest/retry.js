import { jest } from '@jest/globals';

// Some tests measure time, because time is what is promised: on a machine that is busy with something else they may
// fail for no fault of ours. What is a fault fails again, and every failure is shown.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
