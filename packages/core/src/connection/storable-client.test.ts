import { expect, test } from 'vitest';
import { storableParameters } from './storable-client.ts';
import { storableJson } from './storable-json.ts';

test('JSON keeps everything that Postgres can take apart, and has U+FFFD for the rest, also in keys', () => {
  const value = {
    'k\0': ['a\0b', '\ud83d', 'x\udc00y', '🪔', '\\u0000', '\\\\ud83d', '\u0001', '"'],
    none: null,
  };
  const stored = storableJson(value);
  expect(JSON.parse(stored)).toEqual({
    'k\uFFFD': ['a\uFFFDb', '\uFFFD', 'x\uFFFDy', '🪔', '\\u0000', '\\\\ud83d', '\u0001', '"'],
    none: null,
  });
  expect(storableJson({ a: 'é🪔' })).toBe('{"a":"é🪔"}');
});

test('the same holds for parameters of statements, in lists of any depth', () => {
  const [bytes, date] = [Buffer.from('\0'), new Date(0)];
  const given = ['a\0', ['b\ud83d', null, ['c\0', 1]], 2, true, null, undefined, bytes, date, { d: '\0' }];
  expect(storableParameters(given)).toEqual([
    'a\uFFFD',
    ['b\uFFFD', null, ['c\uFFFD', 1]],
    ...[2, true, null, undefined, bytes, date, '{"d":"\\ufffd"}'],
  ]);
});
