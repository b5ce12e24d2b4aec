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
