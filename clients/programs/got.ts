import got from 'got';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

await makeCalls(() => got(`${apiUrl}/models`, { headers: { 'X-API-Key': apiKey } }).json());
