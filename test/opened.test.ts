import { expect, test } from '@jest/globals';
import { Opened } from '../src/opened.ts';

test('closes in the reverse order, each once, whatever fails', async () => {
  const opened = new Opened();
  const closed: string[] = [];
  opened.push(async () => void closed.push('first'));
  opened.push(async () => {
    throw new Error('second');
  });
  opened.push(async () => void closed.push('third'));
  await expect(opened.closeAll()).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'second' })] });
  expect(closed).toEqual(['third', 'first']);
  await opened.closeAll();
  expect(closed).toHaveLength(2);
});
