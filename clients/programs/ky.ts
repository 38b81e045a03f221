import ky from 'ky';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

await makeCalls(() => ky(`${apiUrl}/models`, { headers: { 'X-API-Key': apiKey } }).json());
