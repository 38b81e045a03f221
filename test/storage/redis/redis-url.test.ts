import { expect, test } from '@jest/globals';
import { describeLocation, parseRedisUrl } from '../../../src/storage/redis/redis-url.ts';

const plain = { kind: 'single', username: undefined, password: undefined, tls: false, db: 0 };

test('a URL can have each of the three schemes', () => {
  expect(parseRedisUrl('redis://cache')).toEqual({ ...plain, nodes: [{ host: 'cache', port: 6379 }] });
  expect(parseRedisUrl('rediss://cache:6380/2')).toEqual({
    ...plain,
    nodes: [{ host: 'cache', port: 6380 }],
    tls: true,
    db: 2,
  });
  expect(parseRedisUrl('redis-cluster://a:1,[::1]:2,c')).toEqual({
    ...plain,
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
      { host: 'c', port: 6379 },
    ],
  });
  expect(parseRedisUrl('redis-cluster://a:1?tls=true')).toMatchObject({ kind: 'cluster', tls: true });
});

test('the user and the password are read from the URL, decoded', () => {
  expect(parseRedisUrl('redis://:p%40ss@h')).toMatchObject({ username: undefined, password: 'p@ss' });
  expect(parseRedisUrl('redis://user:p:a@h')).toMatchObject({ username: 'user', password: 'p:a' });
});

test.each([
  'http://h',
  'redis://',
  'redis://h:99999',
  'redis://h:x',
  'redis://a,b',
  'redis://h/db',
  'redis://h?x=1',
  'redis-cluster://a/1',
  'redis-cluster://a,,b',
  'redis-cluster://a?ssl=1',
  'redis://%zz@h',
  'redis://a b',
])('the URL is rejected: %s', (text) => {
  expect(parseRedisUrl(text)).toBeNull();
});

test('a location is described without user and password', () => {
  expect(describeLocation(parseRedisUrl('redis-cluster://u:secret@a:1,[::1]:2')!)).toBe('a:1, [::1]:2');
});
