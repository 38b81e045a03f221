import { fuzzTests } from '../fuzz-tests.ts';

fuzzTests('service');
