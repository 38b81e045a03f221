import { OpenAI } from 'openai-6';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

const client = new OpenAI({ baseURL: apiUrl, apiKey });

await makeCalls(() => client.models.list());
