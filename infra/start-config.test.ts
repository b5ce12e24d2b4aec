import { ConfigurationError } from '@draftshelf/runtime/env';
import { expect, test } from 'vitest';
import { readStartConfig } from './start-config.ts';

test('a network address needs an access key of 12 characters, or a generated one', () => {
  const at = (key: Record<string, string>) => () => readStartConfig({ HOST: '0.0.0.0', ...key });
  expect(at({ ACCESS_KEY: 'a' })).toThrow(/ACCESS_KEY has fewer than 12 characters/);
  expect(at({ ACCESS_KEY: '' })).toThrow(/ACCESS_KEY is empty/);
  expect(at({ ACCESS_KEY: 'long-enough-key' })).not.toThrow();
  expect(at({})).not.toThrow();
  expect(() => readStartConfig({ ACCESS_KEY: 'a' })).not.toThrow();
});

test('variables that only an app or a simulator uses are checked too, all at once', () => {
  const wrong = {
    PORT: '0',
    FETCH_PUBLIC: 'no',
    FETCH_ALLOW: 'example.com',
    SOURCES_ON: 'upcitemdb, ebay',
    LOCAL_STORES: 'yes',
    PLAN: 'basic',
    SECOND_SHOP_PORT: '4001x',
    COLUMNS_MAX: 'many',
    LOG_LEVEL: 'loud',
  };
  let problems: readonly string[] = [];
  try {
    readStartConfig(wrong);
  } catch (error) {
    if (error instanceof ConfigurationError) problems = error.problems;
  }
  expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
});

test('what an app requires is optional, and set but empty is unset', () => {
  const empty = { HOST: '', S3_BUCKET: '', SESSION_SECRET: '', DATABASE_URL: '', FETCH_PUBLIC: '' };
  expect(readStartConfig(empty)).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    PUBLIC_URL: 'http://localhost:3000',
    S3_BUCKET: 'draftshelf',
  });
  expect(readStartConfig(empty).SESSION_SECRET).toBeUndefined();
});
