import { fuzzTests } from '../fuzz-tests.ts';

// Each script takes microseconds: it starts no server.
fuzzTests('forwarded', 1000);
