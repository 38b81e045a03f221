import { reloadsUnderLoad } from './under-load.contract.ts';

reloadsUnderLoad(20);
