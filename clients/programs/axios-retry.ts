import axios from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

axiosRetry(axios, { retryDelay: exponentialDelay });

await makeCalls(() => axios.get(`${apiUrl}/models`, { headers: { 'X-API-Key': apiKey } }));
