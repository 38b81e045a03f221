import { fuzzTests } from '../fuzz-tests.ts';

// A script starts no server and takes microseconds, so the time for new scripts is short.
fuzzTests('forwarded', 1000);
