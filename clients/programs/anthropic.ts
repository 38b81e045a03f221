import Anthropic from '@anthropic-ai/sdk';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

const client = new Anthropic({ baseURL: apiUrl, apiKey });

await makeCalls(() => client.models.list());
