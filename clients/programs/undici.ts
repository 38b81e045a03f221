import { Agent, RetryAgent, request } from 'undici';
import { apiKey, apiUrl, makeCalls } from './calls.ts';

const dispatcher = new RetryAgent(new Agent());

await makeCalls(async () => {
  const { statusCode, body } = await request(`${apiUrl}/models`, { dispatcher, headers: { 'X-API-Key': apiKey } });
  await body.dump();
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
});
