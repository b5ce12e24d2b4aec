import { expect, it } from 'vitest';
import { worstClass } from './row-rule.ts';

it('gives a product the class of its worst row', () => {
  expect(worstClass('valid', 'valid')).toBe('valid');
  expect(worstClass('valid', 'warning')).toBe('warning');
  expect(worstClass('error', 'warning')).toBe('error');
});
